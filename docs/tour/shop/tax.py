class Rate:
    def __init__(self, percent: int) -> None:
        self.percent = percent

    def gross(self, net: int) -> int:
        return net + net * self.percent // 100


def rate_for(country: str) -> Rate:
    return Rate(19 if country == "de" else 20)
