//! Names that the layout of the project cannot tell: the standard library's, and distributions whose packages are
//! called otherwise.

/// Top-level modules of the standard library, also of earlier versions where the name is not too common; sorted.
#[rustfmt::skip]
const STANDARD: [&str; 222] = [
    "__future__", "__main__", "_thread", "abc", "aifc", "annotationlib", "antigravity", "argparse", "array", "ast",
    "asynchat", "asyncio", "asyncore", "atexit", "audioop", "base64", "bdb", "binascii", "binhex", "bisect",
    "builtins", "bz2", "cProfile", "calendar", "cgi", "cgitb", "cmath", "cmd", "code", "codecs", "codeop",
    "collections", "colorsys", "compileall", "concurrent", "configparser", "contextlib", "contextvars", "copy",
    "copyreg", "crypt", "csv", "ctypes", "curses", "dataclasses", "datetime", "dbm", "decimal", "difflib", "dis",
    "distutils", "doctest", "dummy_threading", "email", "encodings", "ensurepip", "enum", "errno", "faulthandler",
    "fcntl", "filecmp", "fileinput", "fnmatch", "fractions", "ftplib", "functools", "gc", "genericpath", "getopt",
    "getpass", "gettext", "glob", "graphlib", "grp", "gzip", "hashlib", "heapq", "hmac", "html", "http", "idlelib",
    "imaplib", "imghdr", "imp", "importlib", "inspect", "io", "ipaddress", "itertools", "json", "keyword",
    "lib2to3", "linecache", "locale", "logging", "lzma", "mailbox", "mailcap", "marshal", "math", "mimetypes",
    "mmap", "modulefinder", "msilib", "msvcrt", "multiprocessing", "netrc", "nis", "nntplib", "nt", "ntpath",
    "nturl2path", "numbers", "opcode", "operator", "optparse", "os", "ossaudiodev", "pathlib", "pdb", "pickle",
    "pickletools", "pipes", "pkgutil", "platform", "plistlib", "poplib", "posix", "posixpath", "pprint", "profile",
    "pstats", "pty", "pwd", "py_compile", "pyclbr", "pydoc", "pydoc_data", "pyexpat", "queue", "quopri", "random",
    "re", "readline", "reprlib", "resource", "rlcompleter", "runpy", "sched", "secrets", "select", "selectors",
    "shelve", "shlex", "shutil", "signal", "site", "smtpd", "smtplib", "sndhdr", "socket", "socketserver", "spwd",
    "sqlite3", "sre_compile", "sre_constants", "sre_parse", "ssl", "stat", "statistics", "string", "stringprep",
    "struct", "subprocess", "sunau", "symtable", "sys", "sysconfig", "syslog", "tabnanny", "tarfile", "telnetlib",
    "tempfile", "termios", "textwrap", "this", "threading", "time", "timeit", "tkinter", "token", "tokenize",
    "tomllib", "trace", "traceback", "tracemalloc", "tty", "turtle", "turtledemo", "types", "typing", "unicodedata",
    "unittest", "urllib", "uu", "uuid", "venv", "warnings", "wave", "weakref", "webbrowser", "winreg", "winsound",
    "wsgiref", "xdrlib", "xml", "xmlrpc", "zipapp", "zipfile", "zipimport", "zlib", "zoneinfo",
];

/// Modules that are built in or loaded before any code of a project; sorted.
#[rustfmt::skip]
const NEVER_SHADOWED: [&str; 23] = [
    "__main__", "_thread", "abc", "atexit", "builtins", "codecs", "errno", "faulthandler", "gc", "genericpath",
    "io", "itertools", "marshal", "ntpath", "os", "posix", "posixpath", "pwd", "site", "stat", "sys", "time",
    "zipimport",
];

/// Distribution (lower case, `_`) → the package that it installs, where they differ; sorted.
#[rustfmt::skip]
const PACKAGES: [(&str, &str); 31] = [
    ("attrs", "attr"),
    ("beautifulsoup4", "bs4"),
    ("biopython", "Bio"),
    ("django_rest_framework", "rest_framework"),
    ("djangorestframework", "rest_framework"),
    ("gitpython", "git"),
    ("grpcio", "grpc"),
    ("grpcio_tools", "grpc_tools"),
    ("msgpack_python", "msgpack"),
    ("mysqlclient", "MySQLdb"),
    ("opencv_python", "cv2"),
    ("opencv_python_headless", "cv2"),
    ("pillow", "PIL"),
    ("protobuf", "google"),
    ("psycopg2_binary", "psycopg2"),
    ("pycryptodome", "Crypto"),
    ("pyjwt", "jwt"),
    ("pymupdf", "fitz"),
    ("pyopenssl", "OpenSSL"),
    ("pyserial", "serial"),
    ("python_dateutil", "dateutil"),
    ("python_docx", "docx"),
    ("python_dotenv", "dotenv"),
    ("python_jose", "jose"),
    ("python_multipart", "multipart"),
    ("python_slugify", "slugify"),
    ("pyyaml", "yaml"),
    ("pyzmq", "zmq"),
    ("scikit_image", "skimage"),
    ("scikit_learn", "sklearn"),
    ("websocket_client", "websocket"),
];

/// Whether `import name` means the standard library, unless the project shadows it.
pub fn is_standard(name: &str) -> bool {
    STANDARD.binary_search(&name).is_ok()
}

/// Whether a module of that name can never be imported from the project.
pub fn is_never_shadowed(name: &str) -> bool {
    NEVER_SHADOWED.binary_search(&name).is_ok()
}

/// The name of a distribution in one spelling.
pub fn normalized(distribution: &str) -> String {
    distribution.trim().to_ascii_lowercase().replace(['-', '.'], "_")
}

/// The package that a distribution (normalized) installs, as far as known.
pub fn package_of(distribution: &str) -> &str {
    PACKAGES.binary_search_by_key(&distribution, |&(name, _)| name).map_or(distribution, |at| PACKAGES[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(STANDARD.is_sorted() && NEVER_SHADOWED.is_sorted() && PACKAGES.is_sorted());
        assert!(is_standard("json") && !is_standard("yaml"));
        assert_eq!(package_of(&normalized("PyYAML")), "yaml");
        assert_eq!(package_of(&normalized("My-Dist.Core")), "my_dist_core");
    }
}
