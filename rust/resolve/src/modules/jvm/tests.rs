use super::*;
use crate::modules::specimen::{beginnings, file, find, project};

fn pom(artifact: &str, dependencies: &[&str]) -> String {
    let dependencies: String = dependencies
        .iter()
        .map(|name| format!("<dependency><groupId>com.acme</groupId><artifactId>{name}</artifactId></dependency>"))
        .collect();
    format!(
        "<project><groupId>com.acme</groupId><artifactId>{artifact}</artifactId>\
         <dependencies>{dependencies}</dependencies></project>"
    )
}

#[test]
fn packages_and_what_is_in_them() {
    let p = project(
        "jvm",
        "src/main/java/com/acme/Desk.java : com.acme
         src/main/java/com/acme/util/Text.java : com.acme.util
         src/main/kotlin/com/acme/Tools.kt : com.acme
         src/test/java/com/acme/DeskTest.java : com.acme
         src/test/java/com/acme/util/Fake.java : com.acme.util",
        &[],
    );
    let jvm = Jvm::new(&p);
    let (main, test) = ("src/main/java/com/acme/Desk.java", "src/test/java/com/acme/DeskTest.java");
    for (from, module, expected) in [
        (main, "com.acme.util.Text", "unit src/main/java:com.acme.util + Text"),
        (main, "com.acme.util", "unit src/main/java:com.acme.util"),
        (main, "com.acme.util.*", "unit src/main/java:com.acme.util"),
        (main, "com.acme.Desk.Inner", "unit src/main/java:com.acme + Desk Inner"),
        // A function of a Kotlin file, and types whose file bears another name.
        (main, "com.acme.polish", "unit src/main/kotlin:com.acme + polish"),
        (main, "com.acme.Hidden", "unit src/main/java:com.acme + Hidden"),
        // The test's own part of the package does not hold the type.
        (test, "com.acme.Desk", "unit src/main/java:com.acme + Desk"),
        (test, "com.acme.util.Text.trim", "unit src/main/java:com.acme.util + Text trim"),
        (test, "com.acme.util.Fake", "unit src/test/java:com.acme.util + Fake"),
        (main, "com", "unit src/main/java:com"),
        (main, "java.util.Map.Entry", "external java.util + Map Entry"),
        (main, "org.vendor.Client", "external org.vendor + Client"),
        (main, "org.vendor", "external org.vendor"),
        (main, "com.acme.vendored.thing.Client", "external com.acme.vendored.thing + Client"),
        (main, "Map", "external Map"),
        (main, "", "external "),
    ] {
        assert_eq!(find(&p, &jvm, from, module), expected, "{module}");
    }
    assert_eq!(
        jvm.visible_units(file(&p, test)),
        ["src/test/java:com.acme", "src/main/java:com.acme", "src/main/kotlin:com.acme"]
    );
    assert_eq!(jvm.submodule("src/main/java:com", "acme"), Found::Unit("src/main/java:com.acme".into()));
    assert_eq!(jvm.submodule("src/main/java:com", "x"), Found::Missing);
}

#[test]
fn equal_names_in_two_modules() {
    let (first, second) = (pom("first", &[]), pom("second", &["shared"]));
    let (third, shared) = (pom("third", &["second"]), pom("shared", &["third"]));
    let p = project(
        "jvm",
        "first/src/main/java/com/acme/Desk.java : com.acme
         first/src/main/java/com/acme/UserBook.java : com.acme
         second/src/main/java/com/acme/Desk.java : com.acme
         second/src/main/java/com/acme/UserBook.java : com.acme
         second/src/test/java/com/acme/DeskTest.java : com.acme
         third/src/main/java/com/other/Use.java : com.other
         shared/src/main/java/com/acme/Shared.java : com.acme
         shared/src/test/java/com/acme/SharedTest.java : com.acme
         alone/src/main/java/com/alone/Use.java : com.alone",
        &[
            ("first/pom.xml", &first),
            ("second/pom.xml", &second),
            ("third/pom.xml", &third),
            ("shared/pom.xml", &shared),
        ],
    );
    let jvm = Jvm::new(&p);
    let (one, two) = ("first/src/main/java", "second/src/main/java");
    let user_book = "com.acme.UserBook";
    assert_eq!(
        find(&p, &jvm, &format!("{one}/com/acme/Desk.java"), user_book),
        format!("unit {one}:com.acme + UserBook")
    );
    assert_eq!(
        find(&p, &jvm, &format!("{two}/com/acme/Desk.java"), user_book),
        format!("unit {two}:com.acme + UserBook")
    );
    let test = "second/src/test/java/com/acme/DeskTest.java";
    assert_eq!(find(&p, &jvm, test, user_book), format!("unit {two}:com.acme + UserBook"));
    let third = "third/src/main/java/com/other/Use.java";
    assert_eq!(find(&p, &jvm, third, user_book), format!("unit {two}:com.acme + UserBook"));
    // Through another module's dependency; the modules form a circle.
    assert_eq!(find(&p, &jvm, third, "com.acme.Shared"), "unit shared/src/main/java:com.acme + Shared");
    assert_eq!(jvm.visible_units(file(&p, "first/src/main/java/com/acme/Desk.java")), ["first/src/main/java:com.acme"]);
    assert_eq!(
        jvm.visible_units(file(&p, "second/src/main/java/com/acme/Desk.java")),
        ["second/src/main/java:com.acme", "second/src/test/java:com.acme", "shared/src/main/java:com.acme"]
    );
    let alone = "alone/src/main/java/com/alone/Use.java";
    assert_eq!(find(&p, &jvm, alone, "com.acme.Shared"), "unit shared/src/main/java:com.acme + Shared");
    assert_eq!(jvm.package_units(file(&p, alone), "com.acme").len(), 1);
    assert_eq!(
        jvm.package_units(file(&p, third), "com.acme"),
        ["second/src/main/java:com.acme", "shared/src/main/java:com.acme"]
    );
}

#[test]
fn gradle_modules() {
    let p = project(
        "jvm",
        "app/src/main/kotlin/App.kt : com.acme.app
         core/a/src/main/kotlin/net/Wire.kt : com.acme.net
         core/b/src/main/kotlin/net/Wire.kt : com.acme.net
         libs/moved/src/main/kotlin/Moved.kt : com.acme.moved
         other/moved/src/main/kotlin/Moved.kt : com.acme.moved
         my-kit/src/main/kotlin/Kit.kt : com.acme.kit
         kits/src/main/kotlin/Kit.kt : com.acme.kit",
        &[
            ("settings.gradle.kts", "project(\":moved\").projectDir = file(\"other/moved\")\n"),
            (
                "app/build.gradle.kts",
                "dependencies {\n implementation(project(\":core:b\"))\n api(project(\":moved\"))\n api(projects.myKit)\n}\n",
            ),
        ],
    );
    let jvm = Jvm::new(&p);
    let app = "app/src/main/kotlin/App.kt";
    assert_eq!(find(&p, &jvm, app, "com.acme.net.Wire"), "unit core/b/src/main/kotlin:com.acme.net + Wire");
    assert_eq!(find(&p, &jvm, app, "com.acme.moved.Moved"), "unit other/moved/src/main/kotlin:com.acme.moved + Moved");
    assert_eq!(find(&p, &jvm, app, "com.acme.kit.Kit"), "unit my-kit/src/main/kotlin:com.acme.kit + Kit");
    assert_eq!(find(&p, &jvm, app, "com.acme.net.`connect`"), "unit core/b/src/main/kotlin:com.acme.net + connect");
}

#[test]
fn no_build_and_no_usual_folders() {
    let p = project(
        "jvm",
        "Greets.java
         Host.java
         other/Greets.java
         src/mail/Letter.java : mail
         test/mail/LetterTest.java : mail
         code/net/Wire.kt : com.acme.net
         code/App.kt : com.acme
         shim/javax/inject/Inject.java : javax.inject",
        &[],
    );
    let jvm = Jvm::new(&p);
    let units = |path: &str| jvm.visible_units(file(&p, path));
    assert_eq!(units("Greets.java"), [":"]);
    assert_eq!(units("other/Greets.java"), ["other:"]);
    assert_eq!(units("test/mail/LetterTest.java"), ["test:mail", "src:mail"]);
    assert_eq!(find(&p, &jvm, "code/App.kt", "com.acme.net.Wire"), "unit code:com.acme.net + Wire");
    assert_eq!(find(&p, &jvm, "Host.java", "Greets"), "unit : + Greets");
    assert_eq!(find(&p, &jvm, "Host.java", "javax.inject.Inject"), "unit shim:javax.inject + Inject");
    assert_eq!(find(&p, &jvm, "Host.java", "javax.inject.Named"), "external javax.inject + Named");
}

#[test]
fn hostile_names_and_manifests() {
    let deep = "<a>".repeat(100_000);
    let p = project(
        "jvm",
        &format!("a/A.java : {}\nb/B.java : ..\nc/é.kt : é.ü\n", "x.".repeat(3000)),
        &[("pom.xml", &deep), ("a/pom.xml", "<project><artifactId>"), ("b/build.gradle", "project(':')\nproject(\"é")],
    );
    let jvm = Jvm::new(&p);
    for module in ["", ".", "..", "é", "é.ü.ö", &"x.".repeat(5000)] {
        for path in ["a/A.java", "b/B.java", "c/é.kt"] {
            jvm.find(file(&p, path), module);
            jvm.visible_units(file(&p, path));
        }
    }
    let gradle =
        "dependencies {\n api(project(path: ':é'))\n api(projects.é.x)\n}\nproject(':é').projectDir = file('../..')";
    for text in beginnings(gradle) {
        let manifests = [("build.gradle", text), ("settings.gradle", text), ("pom.xml", text)];
        Jvm::new(&project("jvm", "A.java", &manifests));
    }
}

#[test]
fn maven_groups_tell_equal_artifacts_apart() {
    let core = |group: &str| format!("<project><groupId>{group}</groupId><artifactId>core</artifactId></project>");
    let (ours, theirs) = (core("com.acme"), core("org.other"));
    let p = project(
        "jvm",
        "app/src/main/java/App.java
         x/core/src/main/java/lib/Job.java : lib
         a/core/src/main/java/lib/Job.java : lib",
        &[("app/pom.xml", &pom("app", &["core"])), ("x/core/pom.xml", &ours), ("a/core/pom.xml", &theirs)],
    );
    let jvm = Jvm::new(&p);
    let app = "app/src/main/java/App.java";
    assert_eq!(find(&p, &jvm, app, "lib.Job"), "unit x/core/src/main/java:lib + Job");
}
