use super::*;
use crate::modules::specimen::{check, words};

fn claims(files: &str, manifests: &[(&str, &str)], text: &str) {
    let project = words(files, manifests);
    check(&project, &Python::new(&project), text);
}

#[test]
fn packages_and_modules() {
    claims(
        "tea/__init__.py tea/kettle.py tea/menu.py season.py orchard/__init__.py orchard/trees/__init__.py
         orchard/trees/_work.py",
        &[],
        "tea/menu.py: tea.kettle -> tea/kettle.py
         tea/menu.py: tea -> tea/__init__.py
         season.py: orchard -> orchard/__init__.py
         season.py: orchard.trees.prune -> orchard/trees/__init__.py + prune
         season.py: orchard.trees._work.prune.deep -> orchard/trees/_work.py + prune deep
         season.py: numpy.linalg -> external numpy + linalg",
    );
}

#[test]
fn relative_imports_count_folders() {
    claims(
        "app/__init__.py app/other/__init__.py app/other/shape.py app/tools/__init__.py app/tools/view.py
         app/feed/__init__.py app/feed/shape.py app/feed/deep/__init__.py loose/a.py loose/b.py top.py",
        &[],
        "app/tools/view.py: ..feed.shape -> app/feed/shape.py
         app/tools/view.py: . -> app/tools/__init__.py
         app/tools/view.py: .. -> app/__init__.py
         app/tools/__init__.py: .view -> app/tools/view.py
         app/tools/__init__.py: ..feed -> app/feed/__init__.py
         app/feed/deep/__init__.py: ..shape -> app/feed/shape.py
         app/tools/view.py: .shape -> missing
         app/tools/view.py: ..feed.shape.area -> app/feed/shape.py + area
         app/tools/view.py: ...top -> top.py
         app/tools/view.py: ....top -> missing
         loose/a.py: .b -> loose/b.py
         loose/a.py: . -> unit dir:loose
         top.py: . -> unit dir:
         top.py: ..top -> missing",
    );
}

#[test]
fn the_standard_library_is_not_a_file_that_happens_to_be_called_so() {
    claims(
        "app/__init__.py app/json.py app/use.py tools/random.py tools/run.py tools/deep/x.py logging.py main.py
         src/types.py src/pkg/__init__.py src/pkg/m.py os.py",
        &[],
        "app/use.py: json -> external json
         app/use.py: json.decoder -> external json + decoder
         main.py: json -> external json
         tools/run.py: random -> tools/random.py
         main.py: random -> external random
         tools/deep/x.py: random -> external random
         main.py: logging -> logging.py
         main.py: types -> external types
         main.py: os.path -> external os + path
         app/use.py: .json -> app/json.py",
    );
}

#[test]
fn source_folders_and_tests_without_init() {
    claims(
        "src/shop/__init__.py src/shop/cart.py tests/test_cart.py tests/helpers.py tests/unit/test_x.py conftest.py
         tests/conftest.py tools/release.py tools/version.py docs/conf.py",
        &[],
        "tests/test_cart.py: shop.cart -> src/shop/cart.py
         tests/unit/test_x.py: shop -> src/shop/__init__.py
         tests/test_cart.py: helpers -> tests/helpers.py
         tests/unit/test_x.py: helpers -> tests/helpers.py
         tests/unit/test_x.py: tests.helpers -> tests/helpers.py
         tests/unit/test_x.py: conftest -> tests/conftest.py
         src/shop/cart.py: conftest -> conftest.py
         tools/release.py: version -> tools/version.py
         docs/conf.py: version -> external version
         src/shop/cart.py: src.shop -> src/shop/__init__.py",
    );
}

#[test]
fn declared_source_folders() {
    let manifests = [
        ("a/pyproject.toml", "[tool.setuptools.packages.find]\nwhere = ['code']"),
        ("b/setup.cfg", "[options]\npackage_dir =\n    = code\ninstall_requires =\n    click>=8\n"),
        ("c/pyproject.toml", "\u{feff}[tool.poetry]\nname='c'\npackages = [{include = 'ccc', from = 'code\\\\py'}]"),
        ("d/pyproject.toml", "[tool.hatch.build.targets.wheel]\npackages = ['code/ddd']"),
        ("e/pyproject.toml", "this is [[[ not TOML"),
    ];
    claims(
        "a/code/aaa/__init__.py a/tests/t.py b/code/bbb.py b/tests/t.py c/code/py/ccc/__init__.py c/tests/t.py
         d/code/ddd/__init__.py d/tests/t.py e/x.py",
        &manifests,
        "a/tests/t.py: aaa -> a/code/aaa/__init__.py
         b/tests/t.py: bbb -> b/code/bbb.py
         c/tests/t.py: ccc -> c/code/py/ccc/__init__.py
         d/tests/t.py: ddd -> d/code/ddd/__init__.py
         a/tests/t.py: bbb -> b/code/bbb.py
         e/x.py: aaa -> a/code/aaa/__init__.py",
    );
}

#[test]
fn namespace_packages() {
    claims(
        "acme/core/__init__.py acme/core/x.py acme/web/y.py libs/one/src/zoo/cats/__init__.py libs/one/setup.py
         libs/two/src/zoo/dogs/__init__.py libs/two/src/zoo/dogs/bark.py libs/two/setup.py app/app.py app/views.py",
        &[],
        "acme/web/y.py: acme.core.x -> acme/core/x.py
         acme/core/x.py: acme.web -> unit dir:acme/web
         acme/core/x.py: acme.web.y -> acme/web/y.py
         acme/core/x.py: acme.nothing -> external acme + nothing
         libs/one/src/zoo/cats/__init__.py: zoo.dogs.bark -> libs/two/src/zoo/dogs/bark.py
         app/app.py: app.views -> app/views.py
         app/app.py: app -> unit dir:app",
    );
}

#[test]
fn submodules() {
    let project = words("a/__init__.py a/b.py a/c/d.py a/e/__init__.pyi", &[]);
    let python = Python::new(&project);
    let file = |path: &str| Found::File(project.file(path).unwrap());
    assert_eq!(python.submodule("a/__init__.py", "b"), file("a/b.py"));
    assert_eq!(python.submodule("a/__init__.py", "c"), Found::Unit("dir:a/c".to_owned()));
    assert_eq!(python.submodule("dir:a/c", "d"), file("a/c/d.py"));
    assert_eq!(python.submodule("dir:", "a"), file("a/__init__.py"));
    assert_eq!(python.submodule("a/__init__.py", "e"), file("a/e/__init__.pyi"));
    assert_eq!(python.submodule("a/b.py", "c"), Found::Missing);
    assert_eq!(python.submodule("dir:nowhere", "c"), Found::Missing);
    assert_eq!(python.unit_key(project.file("a/b.py").unwrap()), "a/b.py");
}

#[test]
fn stubs_stand_behind_modules() {
    claims(
        "a/__init__.py a/x.py a/x.pyi a/fast.pyi typings/yaml/__init__.pyi use.py",
        &[],
        "use.py: a.x -> a/x.py
         use.py: a.fast -> a/fast.pyi
         a/x.pyi: .fast -> a/fast.pyi
         use.py: yaml -> external yaml",
    );
}

#[test]
fn dependencies_are_not_folders_of_the_same_name() {
    let manifests = [
        ("requirements.txt", "-r base.txt\nPyYAML>=6 # comment\nredis[hiredis]==4\n./local\nmycore\n"),
        ("core/pyproject.toml", "[project]\nname='mycore'\ndependencies=['Requests']"),
    ];
    claims(
        "redis/deploy.py redis/check.py other/requests.py other/deep/yaml/__init__.py app/main.py core/mycore/__init__.py
         misc/gadget.py requests.py",
        &manifests,
        "app/main.py: redis -> external redis
         app/main.py: yaml -> external yaml
         app/main.py: mycore -> core/mycore/__init__.py
         app/main.py: gadget -> misc/gadget.py
         app/main.py: requests -> requests.py
         other/requests.py: requests -> requests.py",
    );
}

#[test]
fn without_declarations_single_names_stay_near() {
    claims(
        "vendored/requests.py app/__init__.py app/main.py app/peer.py one/shared/db/core.py two/shared/db/core.py
         lone/kit/db.py one/x.py",
        &[],
        "app/main.py: requests -> external requests
         app/main.py: peer -> app/peer.py
         app/main.py: kit.db -> lone/kit/db.py
         app/main.py: shared.db.core -> external shared + db core
         one/x.py: shared.db.core -> one/shared/db/core.py",
    );
}

#[test]
fn names_keep_their_case() {
    claims(
        "Util.py util.py use.py Pkg/__init__.py",
        &[],
        "use.py: Util -> Util.py
         use.py: util -> util.py
         use.py: pkg -> external pkg",
    );
}

#[test]
fn odd_texts_are_answered() {
    claims(
        "a.py deep/b.py",
        &[("pyproject.toml", "project = 3\ntool = []"), ("setup.cfg", "[\n=\n[options]\npackage_dir\n  ==\n")],
        "a.py: ... -> missing
         deep/b.py: .a..c -> missing
         a.py: a..b -> a.py + b",
    );
}

#[test]
fn a_module_does_not_import_itself() {
    claims(
        "setup.py shop/__init__.py shop/cache/__init__.py shop/cache/redis.py shop/cache/base.py shop/peer.py
         tests/__init__.py tests/selenium.py tests/helpers.py tests/unit/__init__.py tests/unit/test_a.py json.py",
        &[],
        "shop/cache/redis.py: redis -> external redis
         shop/cache/base.py: redis -> external redis
         shop/__init__.py: peer -> external peer
         shop/__init__.py: shop -> shop/__init__.py
         shop/peer.py: shop.peer -> shop/peer.py
         tests/selenium.py: selenium -> external selenium
         tests/unit/test_a.py: helpers -> tests/helpers.py
         json.py: json -> external json",
    );
}
