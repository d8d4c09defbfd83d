"""Has methods of the same names, and nothing to do with carts."""


class Basket:
    def add(self, item: str) -> None: ...

    def total(self) -> int:
        return 1
