from shop.cart import Cart, checkout


def test_checkout() -> None:
    cart = Cart("de")
    cart.add(100)
    assert checkout(cart) == 119
