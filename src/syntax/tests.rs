//! One fixture per language: each line with the symbol it belongs to, `-` for none.

use proptest::prelude::*;

use super::Outline;

/// `symbol | code`, line by line.
fn check(path: &str, fixture: &str) {
    let rows: Vec<(&str, &str)> = fixture
        .lines()
        .map(|row| row.split_once('|').expect("symbol | code"))
        .map(|(symbol, code)| (symbol.trim(), code.strip_prefix(' ').unwrap_or(code)))
        .collect();
    let code: Vec<&str> = rows.iter().map(|(_, code)| *code).collect();
    for (ending, name) in [("\n", "LF"), ("\r\n", "CRLF")] {
        let outline = Outline::parse(path, code.join(ending).as_bytes());
        let found: Vec<String> = (1..)
            .zip(&rows)
            .map(|(line, (_, code))| format!("{} | {code}", outline.symbol(line).unwrap_or("-")))
            .collect();
        let wanted: Vec<String> =
            rows.iter().map(|(symbol, code)| format!("{symbol} | {code}")).collect();
        for (found, wanted) in found.iter().zip(&wanted) {
            assert_eq!(found, wanted, "{path} with {name}");
        }
    }
}

fn calls(path: &str, code: &str) -> Vec<String> {
    let outline = Outline::parse(path, code.as_bytes());
    outline.calls().iter().map(|call| format!("{}@{}", call.name, call.line)).collect()
}

#[test]
fn rust() {
    check(
        "src/a.rs",
        "- | use std::io;
- |
Cache | /// A cache.
Cache | #[derive(Debug)]
Cache | struct Cache {
Cache |     a: u8,
Cache | }
Cache | impl<T> io::Cache<T> for Disk {
- | }
Disk | impl<T: Clone> Store<T> for disk::Disk<T> {
load |     #[inline]
load |     fn load(&self) {
load |         let v = read().unwrap();
load |     }
Disk | }
inner | mod inner {
f |     fn f() {
g |         fn g() {}
f |         let apply = 1;
go |         let go = |x: u8| {
go |             x + 1
go |         };
f |     }
inner | }
- | // A remark.
h | fn h() {}
LIST | const LIST: [u8; 2] = [
LIST |     1,
LIST | ];
- | const ONE: u8 = 1;
pick | macro_rules! pick {
pick |     () => {};
pick | }"
            .replace("Cache | impl<T> io::Cache<T> for Disk {\n- | }\n", "")
            .as_str(),
    );
}

#[test]
fn four_identical_lines_in_four_definitions() {
    check(
        "src/g20.rs",
        "Cache | struct Cache; struct Disk;
Cache | impl Cache {
load |     fn load(&self) {
load |         let v = read().unwrap();
load |     }
Cache | }
Disk | impl Store for Disk {
load |     fn load(&self) {
load |         let v = read().unwrap();
load |     }
Disk | }
open | #[cfg(unix)]
open | fn open() {
open |         let v = read().unwrap();
open | }
open | #[cfg(windows)]
open | fn open() {
open |         let v = read().unwrap();
open | }",
    );
}

#[test]
fn c() {
    check(
        "a.c",
        "- | #include <x.h>
point | struct point {
point |     int x;
point | };
pair | typedef struct {
pair |     int a;
pair | } pair;
MAX | #define MAX(a, b) \\
MAX |     ((a) > (b) ? (a) : (b))
read | /** Reads. */
read | static int *read(int fd,
read |                  int size)
read | {
read |     return 0;
read | }
- | int counter;
table | int table[] = {
table |     1,
table | };
- | // done",
    );
}

#[test]
fn cpp() {
    check(
        "a.hpp",
        "a | namespace a {
Box | template <typename T>
Box | class Box {
Box |  public:
Box |     Box() {}
~Box |     ~Box() {
~Box |     }
operator== |     bool operator==(const Box& o) const {
operator== |         return true;
operator== |     }
Box | };
a | namespace {
hidden | int hidden() {
hidden |     return 1;
hidden | }
a | }
a | }
size | int a::Box<int>::size() const {
each |     auto each = [](int x) {
each |         return x;
each |     };
size |     return 0;
size | }
Reads | TEST(Suite, Reads) {
Reads |     check();
Reads | }",
    );
}

#[test]
fn python() {
    check(
        "a.py",
        "- | import os
- |
Order | class Order:
Order |     total = 0
Order |
ship |     @property
ship |     @cached(
ship |         1)
ship |     def ship(self):
inner |         def inner():
inner |             pass
ship |         return inner
Order |
Order |     async def pay(self): return 1
- |
double | double = lambda x: (
double |     x * 2)
- | x = 1"
            .replace("Order |     async def pay", "pay |     async def pay")
            .as_str(),
    );
}

#[test]
fn go() {
    check(
        "a.go",
        "- | package a
- |
T | // T is a thing.
T | type T struct {
T |     a int
T | }
- |
Load | // Load loads.
Load | func (t *T) Load(x int) error {
again |     again := func() {
again |         x++
again |     }
Load |     return nil
Load | }
names | var names = []string{
names |     \"a\",
names | }
- | const one = 1",
    );
}

#[test]
fn java() {
    check(
        "A.java",
        "- | package a;
A | /** Doc. */
A | @Entity
A | public class A<T> {
A |     int x;
A |     A() {}
run |     @Override
run |     public void run() {
task |         Runnable task = () -> {
task |             go();
task |         };
run |     }
B |     enum B { ONE }
A | }",
    );
}

#[test]
fn javascript_and_typescript() {
    for path in ["a.js", "a.jsx", "a.mjs", "a.ts", "a.tsx"] {
        check(
            path,
            "- | import x from 'x';
load | /** Loads. */
load | export async function load() {
load |   return 1;
load | }
View | export default class View {
size |   get size() {
size |     return 1;
size |   }
handle |   handle = () => {
handle |     this.go();
handle |   };
View | }
pick | export const pick = (a) => {
pick |   return a;
pick | };
- | const one = 1;
config | const config = {
config |   a: 1,
deep |   deep: function () {
deep |     return 2;
deep |   },
config | };
reads | describe('reads', () => {
twice |   it('twice', async () => {
twice |     go();
twice |   });
reads | });
- | export default () => {
- |   return 3;
- | };",
        );
    }
    check(
        "b.ts",
        "Shape | export interface Shape {
area |   area(): number;
Shape | }
Kind | enum Kind {
Kind |   A,
Kind | }
Util | namespace Util {
f |   export function f(): void {}
Util | }
Op | abstract class Op {
Op |   @dec() name: string;
run |   abstract run(): void;
Op | }",
    );
}

#[test]
fn c_sharp() {
    check(
        "A.cs",
        "Shop | namespace Acme.Shop
Shop | {
Order |     /// <summary>An order.</summary>
Order |     [Serializable]
Order |     public class Order
Order |     {
Total |         public int Total { get; set; }
Ship |         public void Ship()
Ship |         {
Ship |             Go();
Ship |         }
Order |     }
Shop | }",
    );
}

#[test]
fn php() {
    check(
        "a.php",
        "- | <?php
- | namespace App;
Order | /** Doc. */
Order | class Order {
ship |     #[Pure]
ship |     public function ship() {
ship |         return 1;
ship |     }
Order | }
go | $go = function () {
go |     return 2;
go | };",
    );
}

#[test]
fn ruby() {
    check(
        "a.rb",
        "Shop | module Shop
Order |   # An order.
Order |   class Order
ship |     def ship
ship |       go
ship |     end
all |     def self.all
all |       []
all |     end
Order |   end
Shop | end
ships | describe 'ships' do
once |   it 'once' do
once |     go
once |   end
ships | end",
    );
}

#[test]
fn bash() {
    let fixture = "- | #!/bin/bash
- | set -e
build | # Builds.
build | build() {
build |   make
build | }
clean | function clean {
clean |   rm -r out
clean | }
- | build";
    check("a.sh", fixture);
    check("bin/run", fixture);
}

#[test]
fn markdown() {
    check(
        "guide.md",
        "- | ---
- | title: Guide
- | owner: team
- | ---
- |
Install | # Install
Install |
Install | ```sh
Install | # set the path
Install | run it
Install | ```
Install | - step one
Install | ---
Install | Call the old API here.
Use it | ## Use *it* ##"
            .replace("Use it | ## Use *it* ##", "Use *it* | ## Use *it* ##")
            .as_str(),
    );
    check(
        "setext.md",
        "First | First
First | =====
First | text
First |
Second | Second
Second | ------
Second | text
Second |
Third | Third
Third | -----
Third | <!-- # not one -->",
    );
}

#[test]
fn data_files() {
    check(
        "ci.yml",
        "- | # The build.
name | name: CI
on | on:
on |   push:
jobs | \"jobs\":
jobs |   test:
jobs |     runs-on: x
- | ---
other | other: 1",
    );
    check(
        "Cargo.toml",
        "- | top = 1
package | [package]
package | name = \"x\"
dependencies.a | [dependencies.a]
dependencies.a | version = \"1\"
bin | [[bin]]
bin | name = \"y\"",
    );
    check(
        "a.json",
        "- | {
a |   \"a\": 1,
b |   \"b\": {
b |     \"c\": [1]
b |   },
d |   \"d\": []
- | }",
    );
}

#[test]
fn fpp() {
    check(
        "Svc.fpp",
        "- | # Services.
Svc | module Svc {
Svc |
Cycle |   @ The cycle port.
Cycle |   port Cycle(
Cycle |     ref start: TimerVal @< when
Cycle |   )
Svc |
Health |   @ Watches others.
Health |   @ All of them.
Health |   active component Health {
Run |     async input port Run: Sched
PING |     async command PING(entry: U32) \\
PING |       opcode 0
HEALTH_LATE |     event HEALTH_LATE(entry: string size 40) severity warning high \\
HEALTH_LATE |       format \"late {}\"
Health |   }
Svc |
Ref |   topology Ref {
Ref |     connections Rates {
Ref |       clock.out -> health.Run
Ref |     }
Ref |   }
Svc | }",
    );
    assert_eq!(calls("a.fpp", "topology T {\n  a.out[0] -> b.in\n}\n"), ["in@2"]);
}

#[test]
fn a_parse_error_spoils_its_own_region_only() {
    for (path, code, line) in [
        ("a.rs", "fn a( {\n\nfn good() {\n    x();\n}\n", 4),
        ("a.py", "def a(:\n    ]\n\ndef good():\n    x()\n", 5),
        ("a.go", "package a\nfunc a( {\n}\n\nfunc good() {\n\tx()\n}\n", 6),
        ("a.ts", "const = ;\n\nfunction good() {\n  x();\n}\n", 4),
        ("A.java", "class A {\n  int = ;\n  void good() {\n    x();\n  }\n}\n", 4),
    ] {
        assert_eq!(Outline::parse(path, code.as_bytes()).symbol(line), Some("good"), "{path}");
    }
}

#[test]
fn names_in_call_position() {
    for (path, code, expected) in [
        ("a.rs", "fn f() { a::b(); x.c(); d!(); E::new(); }", "b c d new"),
        ("a.py", "a.b(); c(); d.e.f(1)", "b c f"),
        ("a.go", "package a\nfunc f() { a.B(); c() }", "B c"),
        ("A.java", "class A { void f() { b(); c.d(); new E<X>(); } }", "E b d"),
        ("a.ts", "a(); b.c(); new D(); e?.f();", "D a c f"),
        ("a.tsx", "const x = <View a={go()} />;", "View go"),
        ("a.c", "int f() { return g(h(1)); }", "g h"),
        ("a.cpp", "void f() { a::b(); x->c(); y.d<int>(); }", "b c d"),
        ("a.cs", "class A { void F() { B(); c.D(); new E(); } }", "B D E"),
        ("a.php", "<?php a(); $b->c(); D::e(); new F();", "F a c e"),
        ("a.rb", "a()\nb.c(1)\n", "a c"),
        ("a.sh", "build now\n", "build"),
    ] {
        let mut names: Vec<String> = calls(path, code)
            .into_iter()
            .map(|call| call.split('@').next().unwrap_or_default().to_owned())
            .collect();
        names.sort();
        assert_eq!(names.join(" "), expected, "{path}: {code}");
    }
}

const ENDINGS: [&str; 20] = [
    "rs", "c", "cpp", "py", "go", "java", "js", "ts", "tsx", "cs", "php", "rb", "sh", "md", "yml",
    "toml", "json", "fpp", "h", "unknown",
];

#[test]
fn what_nests_deep_or_runs_long_is_survived() {
    let deep = "[".repeat(50_000) + &"]".repeat(50_000);
    let quotes = ">".repeat(5_000);
    let long = format!("{{\"a\": \"{}\"}}", "x".repeat(1_000_000));
    for text in [&deep, &quotes, &long] {
        for ending in ["json", "c", "md", "js", "yml", "py"] {
            let _ = Outline::parse(&format!("a.{ending}"), text.as_bytes());
        }
    }
    let huge = vec![b'a'; 3 * 1024 * 1024];
    assert_eq!(Outline::parse("a.rs", &huge), Outline::default());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn no_bytes_break_it(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0..20_usize) {
        let outline = Outline::parse(&format!("a.{}", ENDINGS[at]), &bytes);
        for definition in outline.definitions() {
            prop_assert!(*definition.lines.start() >= 1);
            prop_assert!(definition.lines.start() <= definition.lines.end());
        }
    }
}
