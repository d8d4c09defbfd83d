//! C and C++: `#include`, and one pool of external names.
//!
//! The include path of a build is known only if there is a `compile_commands.json`; otherwise the layout has to do. The
//! brackets of an include are gone here, so a header of the project always comes before the system's.

mod database;

use super::{paths, FileId, Found, Located, ModuleSystem, Project};
use database::Database;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Folders that projects put on the include path, below any folder around the file.
const CUSTOMARY: [&str; 5] = ["include", "inc", "src", "source", "lib"];
/// Headers of the C library and of systems: they are looked up only where the build would; sorted.
#[rustfmt::skip]
const SYSTEM: [&str; 68] = [
    "aio.h", "alloca.h", "arpa/inet.h", "assert.h", "complex.h", "ctype.h", "dirent.h", "dlfcn.h", "endian.h", "errno.h",
    "execinfo.h", "fcntl.h", "fenv.h", "float.h", "getopt.h", "glob.h", "grp.h", "iconv.h", "inttypes.h", "io.h",
    "iso646.h", "limits.h", "locale.h", "malloc.h", "math.h", "memory.h", "netdb.h", "netinet/in.h", "netinet/tcp.h",
    "poll.h", "process.h", "pthread.h", "pwd.h", "regex.h", "sched.h", "semaphore.h", "setjmp.h", "signal.h",
    "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h",
    "string.h", "strings.h", "sys/mman.h", "sys/resource.h", "sys/select.h", "sys/socket.h", "sys/stat.h", "sys/time.h",
    "sys/types.h", "sys/uio.h", "sys/wait.h", "syslog.h", "termios.h", "tgmath.h", "threads.h", "time.h", "uchar.h",
    "unistd.h", "wchar.h", "wctype.h", "windows.h",
];

/// Systems and compilers other than the ordinary one (Linux), as folders and files are named after them; sorted.
#[rustfmt::skip]
const ELSEWHERE: [&str; 54] = [
    "aix", "amiga", "android", "apple", "beos", "bsd", "cocoa", "cygwin", "darwin", "dragonfly", "emscripten",
    "evport", "freebsd", "fuchsia", "haiku", "hpux", "hurd", "ibmi", "iocp", "ios", "irix", "kqueue", "macos",
    "macosx", "mingw", "mingw32", "msdos", "msvc", "msys", "nacl", "netbsd", "openbsd", "os2", "os390", "osx",
    "qnx", "solaris", "sunos", "symbian", "uwp", "vms", "vxworks", "wasi", "wasm", "win", "win32", "win64",
    "wince", "windows", "winnt", "winrt", "winsock", "zephyr", "zos",
];

/// Whether a path names another system: a folder, or a part of the file's name.
fn is_elsewhere(path: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    stem.split(['/', '_', '-', '.'])
        .any(|part| part.len() < 12 && ELSEWHERE.binary_search(&part.to_ascii_lowercase().as_str()).is_ok())
}

/// The module system of included files.
pub struct Includes {
    paths: Vec<String>,
    by_path: FxHashMap<String, FileId>,
    /// File name → the files of that name.
    by_name: FxHashMap<String, Vec<FileId>>,
    database: Database,
    /// Files for another system than the ordinary one, by their names.
    aside: Vec<bool>,
}

impl Includes {
    /// Reads paths and build commands once.
    pub fn new(project: &Project) -> Self {
        let mut by_name: FxHashMap<String, Vec<FileId>> = FxHashMap::default();
        let mut folders: FxHashSet<&str> = FxHashSet::default();
        for (index, entry) in project.files.iter().enumerate() {
            by_name.entry(paths::base(&entry.path).to_owned()).or_default().push(FileId(index as u32));
            folders.extend(paths::upwards(&entry.path).take_while(|at| !folders.contains(at)).collect::<Vec<_>>());
        }
        Self {
            paths: project.files.iter().map(|file| file.path.clone()).collect(),
            by_path: project.by_path.clone(),
            by_name,
            database: Database::new(project, &folders),
            aside: project.files.iter().map(|file| is_elsewhere(&file.path)).collect(),
        }
    }

    fn file(&self, folder: &str, text: &str) -> Option<FileId> {
        self.by_path.get(&paths::join(folder, text)?).copied()
    }

    /// A file whose path ends like this: below the nearest folder around the including file, or one customary in it;
    /// otherwise the one that shares the most folders with the including file.
    fn guessed(&self, from: FileId, candidates: &[FileId], text: &str) -> Option<FileId> {
        let own = &self.paths[from.0 as usize];
        let end = normalized(text);
        let others = candidates.iter().copied().filter(|&file| file != from);
        let fitting = others.filter(|file| ends_with(&self.paths[file.0 as usize], &end));
        fitting.max_by_key(|&file| {
            let path = &self.paths[file.0 as usize];
            let root = path[..path.len() - end.len()].trim_end_matches('/');
            (around(own, root), paths::shared(own, path), Reverse((path.matches('/').count(), file)))
        })
    }
}

/// How near a folder is that may be on the include path of a file: the deepest first, and before it what is in it.
fn around(own: &str, root: &str) -> Option<(usize, Reverse<usize>)> {
    if paths::within(own, root) {
        return Some((root.len(), Reverse(0)));
    }
    let parent = paths::folder(root);
    let rank = CUSTOMARY.iter().position(|name| *name == paths::base(root))?;
    paths::within(own, parent).then_some((parent.len(), Reverse(rank + 1)))
}

/// Whether a path ends with whole parts.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The text without `.`, `a/..` and leading `..`.
fn normalized(text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

impl ModuleSystem for Includes {
    fn is_aside(&self, file: FileId) -> bool {
        self.aside.get(file.0 as usize).copied().unwrap_or(false)
    }

    fn are_beside(&self, file: FileId, other: FileId) -> bool {
        paths::folder(&self.paths[file.0 as usize]) == paths::folder(&self.paths[other.0 as usize])
    }

    fn unit_key(&self, _: FileId) -> String {
        String::new()
    }

    fn find(&self, from: FileId, module: &str) -> Located {
        let text = module.trim().trim_matches(['<', '>', '"']).replace('\\', "/");
        let folder = paths::folder(&self.paths[from.0 as usize]);
        let relative = text.starts_with("./") || text.starts_with("../");
        // Headers of the system are extensionless in C++ (`<vector>`).
        let system = SYSTEM.binary_search(&text.as_str()).is_ok() || !paths::base(&text).contains('.');
        // Most includes name a file that the project has nowhere.
        let found = self.by_name.get(paths::base(&text)).and_then(|candidates| {
            let built = || self.database.folders(from).find_map(|at| self.file(at, &text));
            let near = self.file(folder, &text).or_else(built).filter(|&file| file != from);
            near.or_else(|| (!system).then(|| self.guessed(from, candidates, &text)).flatten())
        });
        Located::whole(match found {
            Some(file) => Found::File(file),
            None if relative || text.is_empty() => Found::Missing,
            None => Found::External(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::specimen::{check, words};

    fn claims(files: &str, manifests: &[(&str, &str)], text: &str) {
        let project = words(files, manifests);
        check(&project, &Includes::new(&project), text);
    }

    #[test]
    fn beside_and_around() {
        claims(
            "src/main.h include/math_ops.h src/a/x.h src/a/y.h src/local.h lib/json/json.h lib/json/src/impl.h
             third/src/x.h third/main.h deps/hiredis/hiredis.h src/string.h",
            &[],
            r"src/main.h: ../include/math_ops.h -> include/math_ops.h
              src/main.h: math_ops.h -> include/math_ops.h
              src/main.h: ..\include\math_ops.h -> include/math_ops.h
              src/main.h: a/x.h -> src/a/x.h
              src/a/x.h: local.h -> src/local.h
              src/a/x.h: a/y.h -> src/a/y.h
              third/main.h: x.h -> third/src/x.h
              src/main.h: json/json.h -> lib/json/json.h
              src/main.h: hiredis/../hiredis/hiredis.h -> deps/hiredis/hiredis.h
              src/main.h: ../missing/a.h -> missing
              src/main.h: stdio.h -> external stdio.h
              src/main.h: vector -> external vector
              src/main.h: string.h -> src/string.h
              third/main.h: string.h -> external string.h
              third/main.h: QtCore/qobject.h -> external QtCore/qobject.h",
        );
    }

    #[test]
    fn of_several_the_nearest() {
        claims(
            "one/core/util.h one/app/deep/a.h two/core/util.h two/app/deep/a.h util/inner/a.h x/config.h y/z/config.h",
            &[],
            "one/app/deep/a.h: util.h -> one/core/util.h
             two/app/deep/a.h: util.h -> two/core/util.h
             two/app/deep/a.h: core/util.h -> two/core/util.h
             util/inner/a.h: config.h -> x/config.h
             util/inner/a.h: inner/a.h -> external inner/a.h",
        );
    }

    #[test]
    fn tables_are_sorted() {
        assert!(SYSTEM.is_sorted());
        assert!(ELSEWHERE.is_sorted());
    }
}
