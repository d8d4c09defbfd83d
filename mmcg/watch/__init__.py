"""Keeping an index current while files change."""

from mmcg.watch.keeper import Keeper, Update

__all__ = ["Keeper", "Update"]
