use super::*;
use crate::modules::specimen::{check, words};

fn claims(files: &str, manifests: &[(&str, &str)], text: &str) {
    let project = words(files, manifests);
    check(&project, &EcmaScript::new(&project), text);
}

#[test]
fn relative_paths() {
    claims(
        "app.ts index.ts a/index.ts a/core.ts b.ts components/index.ts components/demo.ts c.js c/index.js
         src/util/fmt.ts src/pages/about.ts src/pages/util/fmt.ts src/pages/deep/home.ts Card.vue Card.tsx x.d.ts
         api.config.ts y.js y.d.ts",
        &[],
        "app.ts: ./a -> a/index.ts
         app.ts: ./index -> index.ts
         app.ts: . -> index.ts
         app.ts: ./ -> index.ts
         components/demo.ts: . -> components/index.ts
         components/demo.ts: .. -> index.ts
         components/demo.ts: ../ -> index.ts
         app.ts: ./components/ -> components/index.ts
         app.ts: ./c -> c.js
         app.ts: ./c/ -> c/index.js
         src/pages/about.ts: ./util/fmt -> src/pages/util/fmt.ts
         src/pages/deep/home.ts: ../../util/fmt -> src/util/fmt.ts
         app.ts: ./Card.vue -> Card.vue
         app.ts: ./Card -> Card.tsx
         app.ts: ./card -> missing
         app.ts: ./x -> x.d.ts
         app.ts: ./y -> y.js
         app.ts: ./api.config -> api.config.ts
         app.ts: ../app -> missing
         app.ts: ./b?worker -> b.ts
         app.ts: raw!./b -> b.ts
         app.ts: ./nothing -> missing
         app.ts: ./b.ts -> b.ts",
    );
}

#[test]
fn compiled_endings() {
    claims(
        "a.ts a.js b.tsx c.mts d.cts e.js e.d.ts use.ts use.js ui.jsx Screen.native.tsx Screen.web.tsx",
        &[],
        "use.ts: ./a.js -> a.ts
         use.ts: ./a -> a.ts
         use.js: ./a.js -> a.js
         use.js: ./a -> a.js
         use.ts: ./b.js -> b.tsx
         use.js: ./b -> b.tsx
         use.ts: ./b.jsx -> b.tsx
         use.ts: ./c.mjs -> c.mts
         use.ts: ./d.cjs -> d.cts
         use.ts: ./e.js -> e.js
         use.js: ./ui -> ui.jsx
         use.ts: ./Screen -> Screen.native.tsx",
    );
}

#[test]
fn bare_names_are_packages() {
    claims(
        "src/app.ts src/chart/index.ts chart/index.ts src/fs.ts src/path.ts root.ts",
        &[("package.json", r#"{ "name": "viewer", "dependencies": { "chart": "^2.0.0" } }"#)],
        "src/app.ts: chart -> external chart
         src/app.ts: ./chart -> src/chart/index.ts
         src/app.ts: @scope/kit/deep/x -> external @scope/kit
         src/app.ts: lodash/fp -> external lodash
         src/app.ts: node:fs -> external node:fs
         src/app.ts: node:fs/promises -> external node:fs
         src/app.ts: fs/promises -> external fs
         src/app.ts: https://esm.sh/x@1 -> external https://esm.sh/x@1
         src/app.ts: ./clip.mp4 -> external ./clip.mp4
         src/app.ts: ./style.css?inline -> external ./style.css
         src/app.ts: @/chart -> src/chart/index.ts
         root.ts: ./chart/gone -> missing
         root.ts: ./fs -> missing
         src/app.ts: ~/nothing -> external ~
         src/app.ts: @ -> external @
         src/app.ts: src/chart -> src/chart/index.ts
         src/app.ts: /src/chart -> src/chart/index.ts
         src/app.ts: /nowhere.js -> external /nowhere.js
         src/app.ts: @/ -> external @/",
    );
}

#[test]
fn aliases_of_the_nearest_configuration() {
    let manifests = [
        ("tsconfig.json", "{ // shared\n \"compilerOptions\": { \"paths\": { \"@/*\": [\"./shared/*\"], \"~u\": [\"shared/u.ts\"], }, }, }"),
        ("apps/one/tsconfig.json", r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#),
        ("apps/two/tsconfig.json", "\u{feff}{ \"compilerOptions\": { \"baseUrl\": \".\\\\src\", \"paths\": { \"@/*\": [\"gone/*\", \"*\"] } } }"),
        ("apps/four/tsconfig.json", r#"{ "compilerOptions": { "paths": { "*": ["types/*"] } } }"#),
        ("apps/four/package.json", "{}"),
        ("apps/three/jsconfig.json", r#"{ "compilerOptions": { "baseUrl": "src" } }"#),
    ];
    claims(
        "shared/x.ts shared/u.ts apps/one/src/x.ts apps/one/src/main.ts apps/two/src/x.ts apps/two/src/deep/main.ts
         apps/three/src/x/index.js apps/three/src/main.js lib/y.ts apps/four/src/main.ts apps/four/x/index.ts",
        &manifests,
        "lib/y.ts: @/x -> shared/x.ts
         apps/one/src/main.ts: @/x -> apps/one/src/x.ts
         apps/one/src/main.ts: ~u -> external ~u
         apps/two/src/deep/main.ts: @/x -> apps/two/src/x.ts
         apps/two/src/deep/main.ts: x -> apps/two/src/x.ts
         apps/three/src/main.js: x -> apps/three/src/x/index.js
         apps/one/src/main.ts: x -> external x
         apps/one/src/main.ts: @/u -> shared/u.ts
         apps/four/src/main.ts: x -> external x",
    );
}

#[test]
fn inherited_configurations() {
    let manifests = [
        (
            "tsconfig.base.json",
            r#"{ "compilerOptions": { "baseUrl": ".", "paths": { "@acme/units": ["libs/units/src/index.ts"] } } }"#,
        ),
        ("apps/web/tsconfig.json", r#"{ "extends": "../../tsconfig.base" }"#),
        ("apps/list/tsconfig.json", r#"{ "extends": ["../../tsconfig.base.json", "./config/more.json"] }"#),
        (
            "apps/list/config/more.json",
            r#"{ "compilerOptions": { "paths": { "own/*": ["../src/*"] }, "baseUrl": "." } }"#,
        ),
        ("apps/round/tsconfig.json", r#"{ "extends": "./tsconfig.other.json" }"#),
        (
            "apps/round/tsconfig.other.json",
            r#"{ "extends": "./tsconfig.json", "compilerOptions": { "paths": { "r/*": ["${configDir}/src/*"] } } }"#,
        ),
        (
            "apps/vite/tsconfig.json",
            r#"{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.json" }] }"#,
        ),
        ("apps/vite/tsconfig.app.json", r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#),
        ("packages/config/package.json", r#"{ "name": "@acme/config" }"#),
        ("packages/config/strict.json", r#"{ "compilerOptions": { "paths": { "s/*": ["${configDir}/src/*"] } } }"#),
        (
            "apps/strict/package.json",
            r#"{ "name": "@acme/strict", "devDependencies": { "@acme/config": "workspace:*" } }"#,
        ),
        ("apps/strict/tsconfig.json", r#"{ "extends": "@acme/config/strict.json" }"#),
    ];
    claims(
        "libs/units/src/index.ts apps/web/src/page.ts apps/list/src/a.ts apps/round/src/a.ts apps/vite/src/a.ts
         apps/strict/src/a.ts apps/strict/src/b.ts",
        &manifests,
        "apps/web/src/page.ts: @acme/units -> libs/units/src/index.ts
         apps/list/src/a.ts: own/a -> apps/list/src/a.ts
         apps/list/src/a.ts: @acme/units -> external @acme/units
         apps/round/src/a.ts: r/a -> apps/round/src/a.ts
         apps/vite/src/a.ts: @/a -> apps/vite/src/a.ts
         apps/strict/src/a.ts: s/b -> apps/strict/src/b.ts",
    );
}

#[test]
fn root_dirs_are_laid_over_each_other() {
    claims(
        "src/a/view.ts generated/a/data.ts",
        &[("tsconfig.json", r#"{ "compilerOptions": { "rootDirs": ["src", "./generated"] } }"#)],
        "src/a/view.ts: ./data -> generated/a/data.ts
         generated/a/data.ts: ./view -> src/a/view.ts",
    );
}

#[test]
fn workspaces_see_each_other() {
    let manifests = [
        (
            "package.json",
            r#"{ "name": "root", "private": true, "workspaces": ["packages/*", "./apps/**", "!packages/hidden"] }"#,
        ),
        (
            "packages/core/package.json",
            r#"{ "name": "@acme/core", "version": "1.2.0", "main": "./dist/index.js", "types": "./dist/index.d.ts" }"#,
        ),
        ("packages/kit/package.json", r#"{ "name": "kit", "version": "2.0.0", "main": "lib/kit.js" }"#),
        ("packages/old/package.json", r#"{ "name": "old", "version": "1.0.0" }"#),
        ("packages/hidden/package.json", r#"{ "name": "hidden" }"#),
        (
            "apps/web/site/package.json",
            r#"{ "name": "site", "dependencies": { "kit": "^2.0.0", "old": "^3.1.0", "hidden": "1" } }"#,
        ),
        ("examples/chart/package.json", r#"{ "name": "chart" }"#),
        ("node_modules/react/package.json", r#"{ "name": "react", "main": "index.js" }"#),
    ];
    claims(
        "packages/core/src/index.ts packages/core/src/deep/tool.ts packages/kit/lib/kit.js packages/kit/util.js
         packages/old/index.js packages/hidden/index.js apps/web/site/main.ts examples/chart/index.js
         packages/core/test/t.ts node_modules/react/index.js",
        &manifests,
        "apps/web/site/main.ts: @acme/core -> packages/core/src/index.ts
         apps/web/site/main.ts: @acme/core/dist/deep/tool -> packages/core/src/deep/tool.ts
         apps/web/site/main.ts: @acme/core/deep/tool.js -> packages/core/src/deep/tool.ts
         apps/web/site/main.ts: @acme/core/nothing -> missing
         apps/web/site/main.ts: @acme/core/theme.css -> external @acme/core
         apps/web/site/main.ts: kit -> packages/kit/lib/kit.js
         apps/web/site/main.ts: kit/util -> packages/kit/util.js
         apps/web/site/main.ts: old -> external old
         apps/web/site/main.ts: hidden -> external hidden
         apps/web/site/main.ts: react -> external react
         packages/core/test/t.ts: @acme/core -> packages/core/src/index.ts
         packages/core/test/t.ts: ../dist/index.js -> packages/core/src/index.ts
         packages/core/test/t.ts: ../dist/deep/tool -> packages/core/src/deep/tool.ts",
    );
}

#[test]
fn exports_and_imports() {
    let manifests = [
        ("pnpm-workspace.yaml", "packages: ['*']"),
        (
            "lib/package.json",
            r##"{
            "name": "lib", "type": "module",
            "exports": {
                ".": { "types": "./dist/index.d.ts", "require": "./src/common.cjs", "import": { "node": "./src/index.mjs" } },
                "./features/*": "./src/features/*.ts",
                "./features/secret/*": null,
                "./built/*.js": { "import": ["./dist/esm/*.mjs"] },
                "./old/": "./src/old/",
                "./broken": { "import": "./gone/a.js" }
            },
            "imports": { "#tool": "./src/tool.ts", "#in/*": { "browser": "./src/web/*.ts", "default": "./src/in/*.ts" }, "#dep": "other", "#loop": "#loop" }
        }"##,
        ),
        ("other/package.json", r#"{ "name": "other", "exports": "./main.js" }"#),
        ("sugar/package.json", r#"{ "name": "sugar", "exports": { "import": "./m.mjs", "default": "./c.js" } }"#),
    ];
    claims(
        "lib/src/index.mjs lib/src/common.cjs lib/src/features/a.ts lib/src/esmthing.ts lib/src/old/o.ts lib/src/tool.ts
         lib/src/in/x.ts lib/src/web/x.ts other/main.js other/use.cjs other/use.mjs sugar/m.mjs sugar/c.js lib/src/use.ts",
        &manifests,
        "other/use.mjs: lib -> lib/src/index.mjs
         other/use.cjs: lib -> lib/src/common.cjs
         other/use.mjs: sugar -> sugar/m.mjs
         other/use.cjs: sugar -> sugar/c.js
         other/use.mjs: lib/features/a -> lib/src/features/a.ts
         other/use.mjs: lib/built/esmthing.js -> lib/src/esmthing.ts
         other/use.mjs: lib/old/o -> lib/src/old/o.ts
         other/use.mjs: lib/broken -> missing
         lib/src/use.ts: #tool -> lib/src/tool.ts
         lib/src/use.ts: #in/x -> lib/src/in/x.ts
         lib/src/use.ts: #dep -> other/main.js
         lib/src/use.ts: #loop -> missing
         lib/src/use.ts: #none -> missing
         lib/src/use.ts: lib -> lib/src/index.mjs",
    );
}

#[test]
fn folders_with_a_manifest() {
    claims(
        "a/lib/main.js a/index.js use.js b/src/index.ts",
        &[("a/package.json", r#"{ "main": "lib/main" }"#), ("b/package.json", r#"{ "main": "./nowhere.css" }"#)],
        "use.js: ./a -> a/lib/main.js
         use.js: ./b -> missing",
    );
}

#[test]
fn hostile_manifests_are_survived() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = format!(r#"{{"name":"n","exports":{}"x"{}}}"#, r#"{"import":"#.repeat(400), "}".repeat(400));
    let chain: Vec<(String, String)> = (0..2_000)
        .map(|i| (format!("c{i}/tsconfig.json"), format!(r#"{{"extends":"../c{}/tsconfig.json"}}"#, (i + 1) % 2_000)))
        .collect();
    let mut manifests: Vec<(&str, &str)> = chain.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    manifests.extend([
        ("package.json", deep.as_str()),
        ("tsconfig.json", deep.as_str()),
        ("n/package.json", nested.as_str()),
        ("m/package.json", r#"{"name": 3, "exports": [], "imports": "x", "workspaces": {"packages": "[[{{"}}"#),
        ("m/tsconfig.json", r#"{"extends": 3, "compilerOptions": {"paths": {"*": "**", "**": 3}, "baseUrl": 1}}"#),
        ("k/package.json", r#"{"workspaces": ["[", "{a,{b", "**/**/**"]}"#),
    ]);
    claims(
        "c0/a.ts m/a.ts n/a.ts",
        &manifests,
        "c0/a.ts: x -> external x
         m/a.ts: x -> external x
         n/a.ts: n -> missing",
    );
}
