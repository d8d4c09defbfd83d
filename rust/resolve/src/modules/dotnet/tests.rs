use super::*;
use crate::modules::specimen::{file, find, project};

#[test]
fn namespaces_are_global() {
    let p = project(
        "csharp",
        "src/App/Keeper.cs
         src/Zoo/Cage.cs : Zoo.Parts
         src/Bank/Cage.cs
         src/Shim/Index.cs : System
         src/Shim/IsExternalInit.cs : System.Runtime.CompilerServices",
        &[],
    );
    let keeper = file(&p, "src/App/Keeper.cs");
    let bank = file(&p, "src/Bank/Cage.cs");
    let declared = [(keeper, "App".to_owned()), (keeper, "App.Inner".to_owned()), (bank, "Bank.Parts".to_owned())];
    let dotnet = Dotnet::new(&p, &declared);
    for (module, expected) in [
        ("Zoo.Parts", "unit Zoo.Parts"),
        ("global::Zoo.Parts", "unit Zoo.Parts"),
        ("Zoo", "unit Zoo"),
        ("Zoo.Parts.Cage.Lid", "unit Zoo.Parts + Cage Lid"),
        ("Bank.@Parts", "unit Bank.Parts"),
        // Nothing is declared in `Bank` itself.
        ("Bank.Vault", "external Bank.Vault"),
        // Relative to the namespaces around.
        ("Inner", "unit App.Inner"),
        ("Inner.Thing", "unit App.Inner + Thing"),
        ("global::Inner", "external Inner"),
        ("System.Text.Json", "external System.Text.Json"),
        ("System.Index", "unit System + Index"),
        ("System", "unit System"),
        ("Newtonsoft.Json", "external Newtonsoft.Json"),
        ("global::", "unit "),
    ] {
        assert_eq!(find(&p, &dotnet, "src/App/Keeper.cs", module), expected, "{module}");
    }
    assert_eq!(dotnet.unit_key(file(&p, "src/Zoo/Cage.cs")), "Zoo.Parts");
    assert_eq!(dotnet.unit_key(keeper), "");
    assert_eq!(dotnet.submodule("", "Zoo"), Found::Unit("Zoo".into()));
    assert_eq!(dotnet.submodule("Zoo", "Parts"), Found::Unit("Zoo.Parts".into()));
    assert_eq!(dotnet.submodule("Zoo", "Gone"), Found::Missing);
}

#[test]
fn projects_decide_between_equal_names() {
    let p = project(
        "csharp",
        "App/Use.cs : App
         Core/Job.cs : Jobs
         Deep/Job.cs : Jobs
         Other/Job.cs : Jobs
         Linked/Job.cs : Jobs
         Shared/Job.cs : Jobs
         Loose.cs : Jobs",
        &[
            (
                "App/App.csproj",
                "<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup><ProjectReference Include=\"..\\core\\Core.csproj\" />\
                 <Compile Include=\"..\\Linked\\**\\*.cs\" /></ItemGroup>\
                 <Import Project=\"$(SolutionDir)Shared\\Shared.projitems\" /></Project>",
            ),
            (
                "Core/Core.csproj",
                "<Project><ItemGroup><ProjectReference Include=\"$(Root)/Deep/Deep.csproj\" />\
                 <ProjectReference Include=\"../App/App.csproj\" /></ItemGroup></Project>",
            ),
            ("Deep/Deep.csproj", "<Project/>"),
            ("Other/Other.csproj", "<Project><ItemGroup>"),
            ("Shared/Shared.projitems", "not xml"),
        ],
    );
    let dotnet = Dotnet::new(&p, &[]);
    let rank = |candidate: &str| dotnet.rank(file(&p, "App/Use.cs"), file(&p, candidate));
    assert_eq!(rank("App/Use.cs"), 0);
    assert_eq!(rank("Linked/Job.cs"), 0);
    assert_eq!(rank("Core/Job.cs"), 1);
    assert_eq!(rank("Shared/Job.cs"), 1);
    assert_eq!(rank("Deep/Job.cs"), 2);
    assert!(rank("Other/Job.cs") > 1000 && rank("Loose.cs") > 1000);
    assert_eq!(dotnet.project_of(file(&p, "Core/Job.cs")), Some("Core/Core.csproj"));
    assert_eq!(dotnet.project_of(file(&p, "Loose.cs")), None);
}

#[test]
fn hostile_names() {
    let p = project("csharp", &format!("a.cs : {}\nb.cs : ..\n", "N.".repeat(3000)), &[("x.csproj", "<<<")]);
    let dotnet = Dotnet::new(&p, &[(FileId(99), "Gone".into()), (FileId(0), "é.ü".into())]);
    for module in ["", ".", "::", "global::global::", "é.ü.ö", &"N.".repeat(5000)] {
        dotnet.find(FileId(0), module);
        dotnet.find(FileId(99), module);
    }
}

#[test]
fn project_files_bring_namespaces_in() {
    let p = project(
        "csharp",
        "src/App/Use.cs : App
         src/Deep/Use.cs : Deep
         Loose.cs : Loose",
        &[
            (
                "src/App/App.csproj",
                "<Project><PropertyGroup><Kind>Tool</Kind></PropertyGroup><ItemGroup>\
                 <Using Include=\"One; Two\" /><Using Include=\"Three\" Alias=\"T\" /><Using Include=\"Gone\" />\
                 <Using Include=\"Not\" Condition=\"'$(Kind)' != 'tool'\" />\
                 <Using Include=\"Never\" Condition=\"'$(Kind)' == 'Tool' and '$(Other)' == 'x'\" />\
                 <Using Include=\"Either\" Condition=\"'$(Kind)' == 'Lib' or '$(Kind)' == 'Tool'\" />\
                 <Using Include=\"Unknown\" Condition=\"'$(TargetFramework)' == 'net48'\" />\
                 <Using Include=\"Odd\" Condition=\"Exists('x')\" /></ItemGroup></Project>",
            ),
            (
                "src/directory.build.targets",
                "<Project><Import Project=\"..\\eng\\$(Kind).targets\" /><Import Project=\"../../../out.targets\" />\
                 <ItemGroup><Using Remove=\"Gone\" /></ItemGroup></Project>",
            ),
            (
                "src/Directory.Build.props",
                "<Project><Import Project=\"$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', \
                 '$(MSBuildThisFileDirectory)../'))\" /></Project>",
            ),
            ("Directory.Build.props", "<Project><ItemGroup><Using Include=\"Top\" /></ItemGroup></Project>"),
            (
                "eng/Tool.targets",
                "<Project><Import Project=\"$(MSBuildThisFileDirectory)Tool.targets\" />\
                 <ItemGroup><Using Include=\"Late\" /></ItemGroup></Project>",
            ),
            ("src/Deep/Deep.csproj", "<Project><PropertyGroup><Kind>$(Kind)</Kind></PropertyGroup>"),
        ],
    );
    let dotnet = Dotnet::new(&p, &[]);
    let implied = |path: &str| -> Vec<String> {
        let found = dotnet.implied(file(&p, path)).1.iter();
        let mut all: Vec<String> = found
            .map(|each| match &each.alias {
                Some(alias) => format!("{alias} = {}", each.module),
                None => each.module.clone(),
            })
            .collect();
        all.dedup();
        all
    };
    let expected = ["Top", "One", "Two", "T = Three", "Either", "Unknown", "Odd", "Late"];
    let expected = expected.map(|name| match name.split_once(" = ") {
        Some((alias, module)) => format!("{alias} = global::{module}"),
        None => format!("global::{name}"),
    });
    assert_eq!(implied("src/App/Use.cs"), expected);
    assert_eq!(implied("src/Deep/Use.cs"), ["global::Top"]);
    assert!(implied("Loose.cs").is_empty());
    assert!(dotnet.shares_imports(file(&p, "src/App/Use.cs"), file(&p, "src/App/Use.cs")));
    assert!(!dotnet.shares_imports(file(&p, "src/App/Use.cs"), file(&p, "src/Deep/Use.cs")));
}

#[test]
fn a_value_that_names_itself_does_not_grow_without_end() {
    let doubling = "<A>$(A)$(A)</A>".repeat(64);
    let text = format!(
        "<Project><PropertyGroup><A>x</A>{doubling}</PropertyGroup>\
         <ItemGroup><Using Include=\"$(A)\" /><Using Include=\"Kept\" /></ItemGroup></Project>"
    );
    let p = project("csharp", "Use.cs : App", &[("App.csproj", &text)]);
    let implied = Dotnet::new(&p, &[]).implied(file(&p, "Use.cs")).1.to_vec();
    assert_eq!(implied.last().map(|each| each.module.as_str()), Some("global::Kept"));
    assert!(implied.iter().all(|each| each.module.len() < 20_000));
}
