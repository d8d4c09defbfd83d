"""Which tests a file has, and which of their assertions can fail."""

from __future__ import annotations

import re

import pytest

from mmcg.audit import evidence

SPECIMENS = {
    "tests/test_a.py": """
import pytest
import unittest

def test_compares(): assert total() == 3
def test_true(): assert True                      # never
def test_number(): assert 1                       # never
def test_message(): assert (total() == 3, "x")    # never
def test_or(): assert total() or True             # never
def test_not(): assert not False                  # never
def test_length(): assert len(total()) >= 0       # never
def test_either(): assert total() is None or total() is not None   # never
def test_raises():
    with pytest.raises(ValueError): total()
def test_same():
    got = total()
    assert got == got                             # never
def test_copied():
    want = 3
    got = want
    assert got == want                            # never
def test_touched():
    got = []
    fill(got)
    assert got == []
def test_dropped():
    try:
        assert total() == 3                       # never
    except AssertionError:
        pass
def test_expected_error():
    try:
        total()
        assert False
    except ValueError:
        pass
def test_early():
    return
    assert total() == 3                           # never
def test_under_false():
    if False:
        assert total() == 3                       # never
def test_mock(box): box.send.assert_called_once_with(1)
def test_nothing(): total()                       # none
def test_absurd():
    if total() != 3:
        assert False, "no"
class CartTest(unittest.TestCase):
    def test_equal(self): self.assertEqual(total(), 3)
    def test_constants(self): self.assertEqual(1, 1)            # never
    def test_text(self): self.assertTrue("yes", msg="no")       # never
    def test_zero(self): self.assertGreaterEqual(len(total()), 0)   # never
    def test_error(self): self.assertRaises(ValueError, total, 1)
    def test_fails(self):
        if total() != 3: self.fail("no")
""",
    "test/a.test.js": """
describe('cart', () => {
  it('compares', async () => { await expect(total()).resolves.toBe(3); });
  it.each([[1, 2]])('row %s', (a, b) => { expect(total(a)).toBe(b); });
  it('literal', () => { expect(true).toBe(true); });              // never
  it('unfinished', () => { expect(total()); });                   // never
  it('node', () => { assert.strictEqual(1, 1); assert.ok(1); });  // never
  it('uncalled', () => { expect(total()).toBe; });                // never
  it('absurd', () => { if (total() !== 3) { expect(true).toBe(false); } });
  it('chai', () => { expect(total()).to.be.true; total().should.equal(3); });
  it('closure', () => { let called = false; run(() => { called = true; }); expect(called).toBe(true); });
  it('constant', () => { const ok = true; expect(ok).toBe(true); });   // never
  it('itself', () => { const size = total(); expect(size).toBe(size); });   // never
  it('or', () => { expect(total() || true).toBeTruthy(); });      // never
  it('length', () => { expect(total().length).toBeGreaterThanOrEqual(0); });   // never
  it('throws', () => { expect(() => total()).toThrow(); });
  it('dropped', () => { try { expect(total()).toBe(3); } catch (e) {} });   // never
  it('snapshot', () => { expect(total()).toMatchSnapshot(); });
  it('nothing', () => { total(); });                              // none
});
""",
    "cart/cart_test.go": """
package cart
import "testing"
func TestCompares(t *testing.T) { if total() != 3 { t.Errorf("no") } }
func TestRequires(t *testing.T) { require.Equal(t, 3, total()) }
func TestSuite(t *testing.T) { s := assert.New(t); s.Equal(3, total()) }
func TestTrue(t *testing.T) { assert.True(t, true) }                  // never
func TestSame(t *testing.T) { got := total(); assert.Equal(t, got, got) }   // never
func TestLogs(t *testing.T) { t.Log(total().Error()) }                // none
func TestTable(t *testing.T) {
	t.Run("empty", func(t *testing.T) { if total() != 0 { t.Fatal("no") } })
}
""",
    "src/lib.rs": """
#[cfg(test)]
mod tests {
    #[test]
    fn compares() { assert_eq!(total(), 3); }
    #[tokio::test]
    async fn matches() { assert!(matches!(total(), Some(_))); }
    #[test]
    fn literal() { assert!(true); }                       // never
    #[test]
    fn itself() { let x = total(); assert_eq!(x, x); }    // never
    #[test]
    fn or() { assert!(total() || true); }                 // never
    #[test]
    fn sum() { assert_eq!(1 + 1, 2); }                    // never
    #[test]
    #[should_panic(expected = "no")]
    fn panics() { total(); }
    #[test]
    fn unwraps() { total().unwrap(); }                    // implicit
    #[test]
    fn asks() -> Result<(), E> { total()?; Ok(()) }       // implicit
    #[rstest]
    #[case(1)]
    fn cases(#[case] x: u8) { assert_eq!(total(), x); }
    #[test]
    fn nothing() { total(); }                             // none
    cart_test!(of_a_macro, |cart: Cart| { assert_eq!(cart.total(), 3); });
    cart_test!(of_no_use, |cart: Cart| { assert!(true); });   // never
    cart_items! {
        #[test]
        fn among_others() { assert_eq!(total(), 3); }
        #[test]
        fn idle_among_others() { total(); }               // none
    }
    fn run() { cart_test!(commented, |cart: Cart| {}) }
    const SIZES: [usize; 1] = [test_size!(Commented, 1)];
}
""",
    "src/test/java/CartTest.java": """
class CartTest {
  @Test void compares() { assertEquals(3, total()); }
  @Test void fluent() { assertThat(total()).isEqualTo(3); }
  @Test void matcher() { assertThat(total(), is(3)); }
  @Test(expected = Foo.class) public void declared() { total(); }
  @Test void thrown() { assertThrows(Foo.class, () -> total()); }
  @Test void mocked() { verify(box).send(1); }
  @Test void failing() { try { total(); fail("no"); } catch (Foo e) { } }
  @ParameterizedTest @ValueSource(ints = {1}) void rows(int i) { assertEquals(i, total()); }
  @Test void absurd() { if (total() != 3) { assertTrue(false, "no"); } }
  @Test void literal() { assertTrue(true); }                          // never
  @Test void unfinished() { assertThat(total()); }                    // never
  @Test void itself() { var x = total(); assertThat(x, is(x)); }      // never
  @Test void constant() { int x = 3; assertEquals(3, x); }            // never
  @Test void fresh() { assertNotNull(new Cart()); }                   // never
  @Test void nothing() { total(); }                                   // none
}
""",
    "tests/CartTests.cs": """
class CartTests {
  [Fact] public void Compares() { Assert.Equal(3, Total()); }
  [Theory] [InlineData(1)] public void Rows(int x) { Total().Should().Be(x); }
  [Test] public void Constraint() { Assert.That(Total(), Is.EqualTo(3)); }
  [TestMethod] public void Throws() { Assert.ThrowsException<Foo>(() => Total()); }
  [Fact] public async Task Waits() { await Assert.ThrowsAsync<Foo>(() => Total()); }
  [Fact] public void Absurd() { if (Total() != 3) { Assert.True(false, "no"); } }
  [Fact] public void Literal() { Assert.True(true); }                 // never
  [Fact] public void Unfinished() { Total().Should(); }               // never
  [Test] public void Itself() { var x = Total(); Assert.That(x, Is.EqualTo(x)); }   // never
  [Test] public void Passes() { Assert.Pass(); }                      // never
  [Fact] public void Nothing() { Total(); }                           // none
}
""",
    "tests/CartTest.php": """<?php
class CartTest extends TestCase {
  public function testCompares() { $this->assertSame(3, total()); }
  #[Test]
  public function marked(): void { self::assertEquals(3, total()); }
  /** @test */
  public function documented(): void { $this->assertCount(3, total()); }
  public function testThrows() { $this->expectException(Foo::class); $this->expectExceptionMessage('no'); total(); }
  /**
   * @expectedException Foo
   */
  public function testAnnotated() { total(); }
  public function testLiteral() { $this->assertTrue(true); }               // never
  public function testItself() { $x = total(); $this->assertSame($x, $x); }   // never
  public function testConstant() { $x = 1; $this->assertSame(1, $x); }     // never
  public function testNone() { $this->expectNotToPerformAssertions(); total(); }   // never
  public function testNothing() { total(); }                               // none
}
it('is of pest', function () { expect(total())->toBe(3); });
""",
    "tests/cart_test.cpp": """
#include <gtest/gtest.h>
TEST(Cart, Compares) { EXPECT_EQ(total(), 3); }
TEST_F(CartFixture, IsTrue) { ASSERT_TRUE(total()) << "no"; }
TEST_P(CartRows, Matches) { EXPECT_THAT(total(), Eq(GetParam())); }
TEST(Cart, Throws) { EXPECT_THROW(total(), Foo); }
TEST(Cart, Literal) { EXPECT_TRUE(true); SUCCEED(); }       // never
TEST(Cart, Itself) { auto x = total(); EXPECT_EQ(x, x); }   // never
TEST(Cart, Nothing) { total(); }                            // none
// TEST(Cart, Commented) { EXPECT_EQ(total(), 3); }
TEST_CASE("sums up", "[cart]") {
  REQUIRE(total() == 3);
  SECTION("empty") { CHECK(total() == 0); }
}
""",
    "src/test/CartTest.kt": """
class CartTest {
  @Test fun compares() { assertEquals(3, total()) }
  @Test fun fluent() { assertThat(total()).isEqualTo(3) }
  @Test fun throws() { assertThrows(Foo::class.java) { total() } }
  @ParameterizedTest fun infix() { total() shouldBe 3 }
  @Test fun checks() { assert(total() == 3) }
  @Test fun mocked() { verify { box.send(1) } }
  @Test fun literal() { assertTrue(true) }                     // never
  @Test fun itself() { val x = total(); assertEquals(x, x) }   // never
  @Test fun dropped() { try { assertEquals(3, total()) } catch (e: AssertionError) { } }   // never
  @Test fun nothing() { total() }                              // none
  fun helper() { total() }
}
class CartSpec : FunSpec({
  test("sums up") { total() shouldBe 3 }
})
""",
    "test/test_cart.rb": """
require "minitest/autorun"
class CartTest < Minitest::Test
  def test_compares() = assert_equal(3, total)
  def test_without_brackets
    assert_equal 3, total
  end
  def test_raises
    assert_raises(Foo) { total }
  end
  def test_literal
    assert true            # never
  end
  def test_itself
    x = total
    assert_equal x, x      # never
  end
  def test_nothing
    total                  # none
  end
  def helper = total
end
describe Cart do
  context "empty" do
    it "sums up" do
      expect(total).to eq(3)
    end
    it "raises" do
      expect { total }.to raise_error(Foo)
    end
    specify("brackets") { expect(total).to be_nil }
    # it "is commented" do
  end
  test "rails" do
    assert total
  end
end
""",
}
"""A comment behind a test tells what its assertions come to: `never` fail, `none` there, or `implicit` ones."""


def verdict(found: evidence.Evidence, unit: evidence.Unit) -> str:
    """What the assertions of a test come to."""
    own = found.assertions_of(unit)
    if any(each.counts for each in own):
        return ""
    if any(each.vacuous for each in own):
        return "never"
    return "implicit" if own else "none"


@pytest.mark.parametrize("path", SPECIMENS)
def test_each_assertion_can_fail_or_is_known_not_to(path):
    source = SPECIMENS[path]
    found = evidence.read(source.encode(), path)
    lines = source.splitlines()
    wrong = []
    for unit in found.tests:
        own = "\n".join(lines[unit.at.line - 1 : unit.at.end_line])
        said = re.findall(r"(?:#|//) (never|none|implicit)$", own, re.MULTILINE)
        if verdict(found, unit) != (said[0] if said else ""):
            wrong.append((unit.name, verdict(found, unit), said))
    assert not wrong
    assert len(found.tests) > 7


NAMES = {
    "tests/test_a.py": ["test_compares", "CartTest.test_fails"],
    "test/a.test.js": ["cart > compares", "cart > row %s"],
    "cart/cart_test.go": ["TestCompares", "TestTable > empty"],
    "src/lib.rs": ["tests.compares", "tests.cases", "tests.of_a_macro"],
    "tests/CartTest.php": ["CartTest.documented", "is of pest"],
    "src/test/CartTest.kt": ["CartTest.compares", "CartTest.fluent", "sums up"],
    "test/test_cart.rb": ["CartTest.test_compares", "Cart > empty > sums up", "Cart > rails"],
    "tests/cart_test.cpp": ["Cart.Compares", "CartRows.Matches", "sums up", "sums up > empty"],
}


@pytest.mark.parametrize("path", NAMES)
def test_tests_have_names_and_those_of_what_is_around_them(path):
    shown = [unit.shown for unit in evidence.read(SPECIMENS[path].encode(), path).tests]
    assert [name for name in NAMES[path] if name not in shown] == []
    assert not any("ommented" in name for name in shown)


@pytest.mark.parametrize(
    ("path", "source", "kinds"),
    [
        ("tests/test_a.py", "@pytest.mark.skip\ndef test_a(): pass", ["skip"]),
        ("tests/test_a.py", "@unittest.skipIf(sys.platform == 'x', 'y')\ndef test_a(): pass", ["conditional"]),
        ("tests/test_a.py", "@pytest.mark.skipif(True, reason='y')\ndef test_a(): pass", ["skip"]),
        ("tests/test_a.py", "@pytest.mark.xfail(reason='y')\ndef test_a(): pass", ["expected_failure"]),
        ("tests/test_a.py", "pytestmark = pytest.mark.skip\ndef test_a(): pass", ["skip"]),
        ("tests/test_a.py", "def test_a():\n    pytest.skip('x')", ["skip"]),
        ("tests/test_a.py", "@pytest.mark.slow\n@pytest.mark.parametrize('a', [1])\ndef test_a(a): pass", []),
        ("test/a.test.js", "it.skip('a', () => {})", ["skip"]),
        ("test/a.test.js", "describe.only('a', () => { xit('b', () => {}) })", ["only", "skip"]),
        ("test/a.test.js", "test.todo('a')", ["todo"]),
        ("test/a.test.js", "test('a', { skip: true }, () => {})", ["skip"]),
        ("test/a.test.js", "test('a', { timeout: 5 }, () => {}); skip();", []),
        ("a_test.go", "package a\nfunc TestA(t *testing.T) { t.Skip() }", ["skip"]),
        ("a_test.go", 'package a\nfunc TestA(t *testing.T) { if testing.Short() { t.Skip("x") } }', ["conditional"]),
        ("tests/a.rs", '#[test]\n#[ignore = "slow"]\nfn a() {}', ["skip"]),
        ("tests/a.rs", "#[test]\n#[cfg_attr(miri, ignore)]\nfn a() {}", ["conditional"]),
        ("ATest.java", '@Disabled("x") class ATest { @Test void a() {} }', ["skip"]),
        ("ATest.java", "class ATest { @Test @EnabledOnOs(LINUX) void a() {} }", ["conditional"]),
        ("ATests.cs", 'class ATests { [Fact(Skip = "x")] public void A() {} }', ["skip"]),
        ("ATests.cs", "class ATests { [Test, Ignore] public void A() {} }", ["skip"]),
        ("ATest.php", "<?php class ATest { function testA() { $this->markTestSkipped('x'); } }", ["skip"]),
        ("ATest.kt", '@Disabled("x") class ATest { @Test fun a() {} }', ["skip"]),
        ("ATest.kt", "class ATest { @Test fun a() { assumeTrue(false) } }", ["conditional"]),
        ("ATest.kt", 'class ASpec : FunSpec({ xtest("a") { f() } })', ["skip"]),
        ("test/test_a.rb", "class TestA\n  def test_a\n    skip 'x'\n  end\nend", ["skip"]),
        ("spec/a_spec.rb", "describe A do\n  xit 'a' do\n  end\n  fit 'b' do\n  end\nend", ["only", "skip"]),
        ("spec/a_spec.rb", "it 'a', skip: true do\nend", ["skip"]),
        ("spec/a_spec.rb", "it 'a', slow: true do\nend", []),
        ("tests/a_test.cpp", "TEST(A, DISABLED_B) { EXPECT_EQ(f(), 1); }", ["skip"]),
        ("tests/a_test.cpp", "TEST(A, B) { GTEST_SKIP(); }", ["skip"]),
        ("tests/a_test.cpp", 'TEST_CASE("a", "[.]") { CHECK(f()); }', ["skip"]),
    ],
)
def test_marks_of_tests_are_known(path, source, kinds):
    assert sorted(each.kind for each in evidence.read(source.encode(), path).marks) == kinds


@pytest.mark.parametrize(
    ("path", "source", "texts"),
    [
        ("a.py", "x = f()  # type: ignore[attr]  # noqa: E501", ["noqa: E501", "type: ignore[attr]"]),
        ("a.py", "# We never use noqa here, nor type: ignore.\nx = 1", []),
        ("a.py", "x = 'noqa'", []),
        ("a.py", "if x:  # pragma: no cover\n    pass", ["pragma: no cover"]),
        ("a.js", "// eslint-disable-next-line no-console\nf();", ["eslint-disable-next-line no-console"]),
        ("a.js", "// The eslint-disable comment is not needed.\nf();", []),
        ("a.ts", "// @ts-expect-error later\nf();", ["@ts-expect-error later"]),
        ("a.go", "package a\n\nfunc f() { g() } //nolint:errcheck", ["nolint:errcheck"]),
        ("a.rs", "#![allow(dead_code)]\n#[allow(clippy::all)]\nfn f() {}", ["allow(clippy::all)", "allow(dead_code)"]),
        ("a.rs", "// allow(dead_code) would be wrong here\nfn f() {}", []),
        ("A.java", '@SuppressWarnings("x") class A {} // NOSONAR', ["NOSONAR", 'SuppressWarnings("x")']),
        ("A.cs", "#pragma warning disable CS0168\nclass A {}", ["#pragma warning disable CS0168"]),
        ("A.cs", "#pragma warning restore CS0168\nclass A {}", []),
        ("a.php", "<?php\n/** @psalm-suppress Mixed */\nfunction f() {} // @phpstan-ignore-line",
         ["@phpstan-ignore-line", "@psalm-suppress Mixed"]),
        ("a.kt", 'package a\n\nclass A\n\n@Suppress("x") fun f() {} // NOSONAR', ["NOSONAR", 'Suppress("x")']),
        ("a.kt", "// We Suppress nothing here.\nclass A", []),
        ("a.rb", "f(1) # rubocop:disable Style/For", ["rubocop:disable Style/For"]),
        ("a.rb", "# never use rubocop:disable\nf(1)", []),
        ("a.cpp", '#pragma GCC diagnostic ignored "-Wall"\nint x; // NOLINT(foo)',
         ['#pragma GCC diagnostic ignored "-Wall"', "NOLINT(foo)"]),
        ("a.h", "#pragma once\n#pragma pack(1)", []),
    ],
)  # fmt: skip
def test_suppressions_are_told_from_prose(path, source, texts):
    assert sorted(each.text for each in evidence.read(source.encode(), path).suppressions) == texts


def test_a_file_of_no_language_holds_nothing():
    assert evidence.read(b"# type: ignore\n", "notes.txt") == evidence.Evidence("notes.txt")


@pytest.mark.parametrize("source", [b"", b"\xff\xfe\x00", b"def test_a(:\n  assert", b"(" * 50_000, b"\x00" * 100])
def test_broken_files_are_read_as_far_as_they_can_be(source):
    evidence.read(source, "tests/test_a.py")
    evidence.read(source, "tests/a.cpp")
    evidence.read(source, "tests/a.test.ts")


@pytest.mark.parametrize(
    "source", ["expect(x)" + ".a(1)" * 3000, "f(" * 3000 + ")" * 3000, "expect(" * 3000 + ")" * 3000]
)
def test_long_chains_and_deep_calls_take_no_more_than_their_share(source):
    evidence.read(source.encode(), "test/a.test.js")
