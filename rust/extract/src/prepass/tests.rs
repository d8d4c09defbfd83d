use super::prepared;
use mmcg_lang::Language;

fn claims(language: &str, lines: &str) {
    let tables = Language::by_name(language).expect("a language").tables().expect("tables");
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (before, after) = line.split_once(" => ").expect("two sides");
        let (before, after) = (before.replace('$', "\n"), after.replace('$', "\n"));
        let found = prepared(&before, &tables.preprocess);
        assert_eq!(found.len(), before.len());
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&found), words(&after), "{before}");
    }
}

#[test]
fn words_without_room_go() {
    claims(
        "c",
        "BOOT_TEXT WORD Ignite(NIL) { return 1; } => WORD Ignite(NIL) { return 1; }
         BOOT_TEXT static int Idle(NIL) {} => static int Idle(NIL) {}
         LUA_API void lua_x (lua_State *L) { y(); } => void lua_x (lua_State *L) { y(); }
         static int __init setup(void) { return 0; } => static int setup(void) { return 0; }
         int f(const char __user *name, size_t n); => int f(const char *name, size_t n);
         static __always_inline int f(void) {} => static int f(void) {}
         static const __be32 *p; => static const __be32 *p;
         WORD count; => WORD count;
         LUA_API void (luaL_register) (lua_State *L) { } => void (luaL_register) (lua_State *L) { }
         DEFINE_FLAG(int, size, 1)$static int f(void) { } => $static int f(void) { }
         INIT(int, size)$$INIT(a)$int f(void) { } => $$$int f(void) { }
         WORD const *p; => WORD const *p;
         #define PUBLIC$PUBLIC WORD Vent(WORD a) {} => #define PUBLIC$ WORD Vent(WORD a) {}
         static DEFINE_MUTEX(lock); => static DEFINE_MUTEX(lock);
         HOOK(on_wake) { return ticks() + 1; } => HOOK(on_wake) { return ticks() + 1; }
         int f(void) { if (x) FOO(y); for (;;) BAR; return MAX; } => int f(void) { if (x) FOO(y); for (;;) BAR; return MAX; }
         void f(void) { a = B * C; g(D E); } => void f(void) { a = B * C; g(D E); }
         static FILE *open_it(int fd) { } => static FILE *open_it(int fd) { }
         struct S { int a; } __packed; => struct S { int a; } __packed;
         extern void *m(size_t n) __malloc; => extern void *m(size_t n) ;
         int k(void) __attribute__((x)); => int k(void) __attribute__((x));",
    );
}

#[test]
fn attributes_of_classes_and_members_go() {
    claims(
        "cpp",
        "class WATER_API Hill : public Spring {}; => class Hill : public Spring {};
         struct WATER_API Flask { int a, b; }; => struct Flask { int a, b; };
         class CAPABILITY(\"mutex\") Mutex { }; => class Mutex { };
         explicit MutexLock(Mutex* mu) EXCLUSIVE_LOCK(mu) : mu_(mu) { } => explicit MutexLock(Mutex* mu) : mu_(mu) { }
         void Go() const LOCKS_EXCLUDED(mu) {} => void Go() const {}
         int x GUARDED_BY(mu_); => int x ;
         EXPORT Status Destroy(const std::string& name); => Status Destroy(const std::string& name);
         EXPORT const Comparator* Bytewise(); => const Comparator* Bytewise();
         std::map<int, FOO> m; => std::map<int, FOO> m;
         class Plain final : public Base { }; => class Plain final : public Base { };",
    );
}

#[test]
fn branches_that_do_not_fit_go() {
    claims(
        "c",
        "#ifdef A$int f(long a) {$#else$int f(int a) {$#endif$return 1;}$ => int f(long a) { return 1;}
         #if 0$x$#endif$y => #if 0 $#endif$y
         #if 0$x$#else$z$#endif$y => #if 0 $#else$z$#endif$y
         #ifdef A$x;$#else$y;$#endif$ => #ifdef A$x;$#else$y;$#endif$
         f(a,$#ifdef A$b$#else$c$#endif$); => f(a, b );",
    );
}

#[test]
fn macros_on_their_own_lines_go() {
    claims(
        "cpp",
        r#"KIT_BEGIN$namespace a { } => $namespace a { }
         KIT_BEGIN$KIT_INNER$template <typename T> class A; => $$template <typename T> class A;
         int a;$KIT_END$#endif => int a;$$#endif
         enum A { ONE,$TWO$}; => enum A { ONE,$TWO$};
         PUSH_(4251)$template <typename T> class A; => $template <typename T> class A;
         void f() {$CALL(x)$return 1; } => void f() {$CALL(x)$return 1; }
         class A {$HIDDEN_UNLESS_TESTED:$int a; }; => class A {$$int a; };
         int x = a ?$B :$c; => int x = a ?$B :$c;
         class API [[nodiscard]] Unit { }; => class [[nodiscard]] Unit { };
         TEST_CASE("a text", "[tag]")${ f(); } => TEST_CASE( )${ f(); }
         int f() { CHECK("a"); } => int f() { CHECK("a"); }"#,
    );
}
