use super::*;
use crate::modules::specimen::{beginnings, file, find, project};

const SHOP: &str = "module example.org/shop\n\ngo 1.21\n";

#[test]
fn packages_of_the_own_module() {
    let p = project(
        "go",
        "shop.go : shop
         cmd/main.go : main
         price/price.go : price
         internal/levy/levy.go : levy",
        &[("go.mod", SHOP)],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "cmd/main.go", "example.org/shop/price"), "unit price");
    assert_eq!(find(&p, &go, "cmd/main.go", "example.org/shop/internal/levy"), "unit internal/levy");
    assert_eq!(find(&p, &go, "cmd/main.go", "example.org/shop"), "unit .");
    assert_eq!(find(&p, &go, "cmd/main.go", "example.org/shop/gone"), "missing");
    assert_eq!(find(&p, &go, "cmd/main.go", "example.org/shopping"), "external example.org/shopping");
    assert_eq!(find(&p, &go, "cmd/main.go", "fmt"), "external fmt");
    assert_eq!(find(&p, &go, "cmd/main.go", "C"), "external C");
    assert_eq!(find(&p, &go, "cmd/main.go", "../price"), "unit price");
    assert_eq!(find(&p, &go, "cmd/main.go", "../gone"), "missing");
}

#[test]
fn several_packages_in_one_directory() {
    let p = project(
        "go",
        "tally/tally.go : tally
         tally/gen.go : main
         tally/note.go : documentation
         tally/inside_test.go : tally
         tally/outside_test.go : tally_test
         tally/broken.go
         only/only_test.go : only_test
         cmd/a.go : main
         cmd/b.go : main",
        &[("go.mod", SHOP)],
    );
    let go = GoModules::new(&p);
    let key = |path: &str| go.unit_key(file(&p, path));
    assert_eq!(key("tally/tally.go"), "tally");
    assert_eq!(key("tally/inside_test.go"), "tally");
    assert_eq!(key("tally/broken.go"), "tally");
    assert_eq!(key("tally/outside_test.go"), "tally#tally_test");
    assert_eq!(key("tally/gen.go"), "tally#main");
    assert_eq!(key("tally/note.go"), "tally#documentation");
    assert_eq!(key("cmd/a.go"), "cmd");
    assert_eq!(key("only/only_test.go"), "only#only_test");
    assert_eq!(find(&p, &go, "tally/outside_test.go", "example.org/shop/tally"), "unit tally");
    assert_eq!(find(&p, &go, "cmd/a.go", "example.org/shop/only"), "missing");
    assert_eq!(go.package_name("tally#tally_test"), Some("tally_test"));
}

#[test]
fn the_package_clause_names_the_import() {
    let p = project(
        "go",
        "main.go : main
         yaml.v3/decode.go : yaml
         paint/v2/paint.go : paint",
        &[("go.mod", SHOP)],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "main.go", "example.org/shop/yaml.v3"), "unit yaml.v3");
    assert_eq!(go.package_name("yaml.v3"), Some("yaml"));
    assert_eq!(go.package_name("paint/v2"), Some("paint"));
    assert_eq!(go.package_name("nowhere"), None);
    for (import, name) in [
        ("gopkg.in/yaml.v3", "yaml"),
        ("example.org/paint/v2", "paint"),
        ("example.org/go-redis", "redis"),
        ("net/http", "http"),
        ("v2", "v2"),
        ("example.org/a/-", "-"),
        ("", ""),
    ] {
        assert_eq!(GoModules::assumed_name(import), name, "{import}");
    }
}

#[test]
fn replaced_by_a_directory() {
    let app = "module example.org/app\nrequire (\n  github.com/outside/paint v1.4.0 // indirect\n  \
               github.com/outside/wax v1.0.0\n)\nreplace (\n  github.com/outside/paint v1.4.0 => ../third/paint\n  \
               github.com/outside/wax v0.9.0 => ../third/wax\n  example.org/bare => ./bare\n  \
               example.org/fork => example.net/fork v1.0.0\n)\n";
    let p = project(
        "go",
        "app/main.go : main
         app/bare/bare.go : bare
         app/bare/deep/deep.go : deep
         third/paint/paint.go : paint
         third/paint/gloss/gloss.go : gloss
         third/wax/wax.go : wax
         fork/fork.go : fork",
        &[
            ("app/go.mod", app),
            ("third/paint/go.mod", "module example.net/other-name\n"),
            ("third/wax/go.mod", "module example.net/wax\n"),
            ("fork/go.mod", "module example.org/fork\n"),
        ],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "app/main.go", "github.com/outside/paint"), "unit third/paint");
    assert_eq!(find(&p, &go, "app/main.go", "github.com/outside/paint/gloss"), "unit third/paint/gloss");
    assert_eq!(find(&p, &go, "app/main.go", "github.com/outside/paint/gone"), "missing");
    // Another version is replaced than the one required.
    assert_eq!(find(&p, &go, "app/main.go", "github.com/outside/wax"), "external github.com/outside/wax");
    // The replacement has no go.mod of its own.
    assert_eq!(find(&p, &go, "app/main.go", "example.org/bare/deep"), "unit app/bare/deep");
    // Replaced by a module that is not here, though one of the old path is.
    assert_eq!(find(&p, &go, "app/main.go", "example.org/fork"), "external example.org/fork");
}

#[test]
fn nested_modules_and_the_longest_path() {
    let p = project(
        "go",
        "a.go : shop
         kit/kit.go : kit
         kit/x/x.go : x
         plain/plain.go : plain
         odd/odd.go : odd",
        &[
            ("go.mod", SHOP),
            ("kit/go.mod", "module example.org/shop/kit\n"),
            ("odd/go.mod", "module example.net/odd\n"),
        ],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "a.go", "example.org/shop/kit/x"), "unit kit/x");
    assert_eq!(find(&p, &go, "kit/x/x.go", "example.org/shop/plain"), "unit plain");
    // The directory is there, but belongs to a module of another name.
    assert_eq!(find(&p, &go, "a.go", "example.org/shop/odd"), "missing");
    assert_eq!(find(&p, &go, "a.go", "example.net/odd"), "unit odd");
}

#[test]
fn equal_module_paths() {
    let p = project(
        "go",
        "one/app/main.go : main
         one/lib/lib.go : lib
         two/app/main.go : main
         two/lib/lib.go : lib
         tool/testdata/lib/lib.go : lib
         tool/testdata/lib/use/use.go : use
         tool/tool.go : main",
        &[
            ("one/app/go.mod", "module example.org/one\n"),
            ("one/lib/go.mod", "module example.org/lib\n"),
            ("two/app/go.mod", "module example.org/two\n"),
            ("two/lib/go.mod", "module example.org/lib\n"),
            ("tool/go.mod", "module example.org/tool\n"),
            ("tool/testdata/lib/go.mod", "module example.org/fake\n"),
        ],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "one/app/main.go", "example.org/lib"), "unit one/lib");
    assert_eq!(find(&p, &go, "two/app/main.go", "example.org/lib"), "unit two/lib");
    // Modules in test data are no part of the program around them.
    assert_eq!(find(&p, &go, "tool/tool.go", "example.org/fake"), "external example.org/fake");
    assert_eq!(find(&p, &go, "tool/testdata/lib/use/use.go", "example.org/fake"), "unit tool/testdata/lib");
}

#[test]
fn workspaces() {
    let p = project(
        "go",
        "app/main.go : main
         lib/lib.go : lib
         old/lib/lib.go : lib
         swap/swap.go : swap",
        &[
            ("go.work", "go 1.21\nuse (\n  ./app\n  ./lib\n)\nreplace example.org/swapped => ./swap\n"),
            ("app/go.mod", "module example.org/app\n"),
            ("lib/go.mod", "module example.org/lib\n"),
            ("old/lib/go.mod", "module example.org/lib\n"),
        ],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "app/main.go", "example.org/lib"), "unit lib");
    assert_eq!(find(&p, &go, "app/main.go", "example.org/swapped"), "unit swap");
}

#[test]
fn vendored_copies() {
    let p = project(
        "go",
        "a.go : shop
         b/b.go : b
         vendor/example.net/wood/wood.go : wood
         vendor/example.net/wood/glue/glue.go : glue
         copies/wood/wood.go : wood",
        &[("go.mod", SHOP), ("copies/wood/go.mod", "module example.net/wood\n")],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "b/b.go", "example.net/wood"), "unit vendor/example.net/wood");
    let from = "vendor/example.net/wood/wood.go";
    assert_eq!(find(&p, &go, from, "example.net/wood/glue"), "unit vendor/example.net/wood/glue");
    assert_eq!(find(&p, &go, "b/b.go", "example.net/iron"), "external example.net/iron");
}

#[test]
fn before_modules() {
    let p = project(
        "go",
        "src/example.org/shop/main.go : main
         src/example.org/shop/errors/errors.go : errors
         src/example.org/shop/vendor/example.net/wood/wood.go : wood
         errors/errors.go : errors",
        &[],
    );
    let go = GoModules::new(&p);
    let from = "src/example.org/shop/main.go";
    assert_eq!(find(&p, &go, from, "example.org/shop/errors"), "unit src/example.org/shop/errors");
    assert_eq!(find(&p, &go, from, "example.net/wood"), "unit src/example.org/shop/vendor/example.net/wood");
    assert_eq!(find(&p, &go, from, "errors"), "external errors");
}

#[test]
fn a_module_path_without_a_dot_and_the_standard_library() {
    let p = project(
        "go",
        "demo/main.go : main
         demo/price/price.go : price
         log/log.go : log
         std/fmt/print.go : fmt
         std/os/os.go : os",
        &[("demo/go.mod", "module demo\n"), ("log/go.mod", "module log\n"), ("std/go.mod", "module std\n")],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "demo/main.go", "demo/price"), "unit demo/price");
    assert_eq!(find(&p, &go, "demo/main.go", "log"), "external log");
    assert_eq!(find(&p, &go, "std/fmt/print.go", "os"), "unit std/os");
}

#[test]
fn hostile_manifests_and_imports() {
    let big = "replace example.org/x => ../x\n".repeat(20_000);
    let p = project(
        "go",
        "a/a.go : a
         b/b.go : b",
        &[
            ("a/go.mod", "module example.org/a\nreplace example.org/b => ../../../etc\nreplace example.org/a => ./\n"),
            ("b/go.mod", big.as_str()),
            ("go.work", "use ../..\nuse (\n"),
        ],
    );
    let go = GoModules::new(&p);
    assert_eq!(find(&p, &go, "a/a.go", "example.org/b"), "external example.org/b");
    assert_eq!(find(&p, &go, "a/a.go", "example.org/a"), "unit a");
    for text in beginnings("module \"é\"\nreplace (\n\ta v1 => `../ü`\n)\nrequire a v1 // é\n") {
        ModFile::parse(text);
    }
    for import in ["", "/", "//", "..", "../../..", "é", "a//b", &"x/".repeat(2000)] {
        go.find(file(&p, "a/a.go"), import);
    }
}
