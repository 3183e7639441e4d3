"""English verbs: the forms of a base form, and what each form says of time."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_IRREGULAR: Final = {
    "be": ("is", "being", "was", "been"), "have": ("has", "having", "had", "had"),
    "do": ("does", "doing", "did", "done"), "go": ("goes", "going", "went", "gone"),
    "get": ("gets", "getting", "got", "gotten"), "take": ("takes", "taking", "took", "taken"),
    "speak": ("speaks", "speaking", "spoke", "spoken"), "drive": ("drives", "driving", "drove", "driven"),
    "ride": ("rides", "riding", "rode", "ridden"), "eat": ("eats", "eating", "ate", "eaten"),
    "drink": ("drinks", "drinking", "drank", "drunk"), "write": ("writes", "writing", "wrote", "written"),
    "buy": ("buys", "buying", "bought", "bought"), "leave": ("leaves", "leaving", "left", "left"),
    "quit": ("quits", "quitting", "quit", "quit"), "run": ("runs", "running", "ran", "run"),
    "become": ("becomes", "becoming", "became", "become"), "begin": ("begins", "beginning", "began", "begun"),
    "teach": ("teaches", "teaching", "taught", "taught"), "make": ("makes", "making", "made", "made"),
    "fly": ("flies", "flying", "flew", "flown"), "grow": ("grows", "growing", "grew", "grown"),
    "stand": ("stands", "standing", "stood", "stood"), "bear": ("bears", "bearing", "bore", "born"),
    "keep": ("keeps", "keeping", "kept", "kept"), "sing": ("sings", "singing", "sang", "sung"),
    "swim": ("swims", "swimming", "swam", "swum"), "read": ("reads", "reading", "read", "read"),
    "say": ("says", "saying", "said", "said"), "tell": ("tells", "telling", "told", "told"),
    "think": ("thinks", "thinking", "thought", "thought"), "know": ("knows", "knowing", "knew", "known"),
    "wear": ("wears", "wearing", "wore", "worn"), "pay": ("pays", "paying", "paid", "paid"),
    "wake": ("wakes", "waking", "woke", "woken"), "meet": ("meets", "meeting", "met", "met"),
    "build": ("builds", "building", "built", "built"), "lose": ("loses", "losing", "lost", "lost"),
    "sell": ("sells", "selling", "sold", "sold"), "find": ("finds", "finding", "found", "found"),
    "give": ("gives", "giving", "gave", "given"), "lead": ("leads", "leading", "led", "led"),
    "owe": ("owes", "owing", "owed", "owed"), "send": ("sends", "sending", "sent", "sent"),
    "spell": ("spells", "spelling", "spelled", "spelled"), "hear": ("hears", "hearing", "heard", "heard"),
    "put": ("puts", "putting", "put", "put"), "set": ("sets", "setting", "set", "set"),
    "learn": ("learns", "learning", "learned", "learned"), "bring": ("brings", "bringing", "brought", "brought"),
    "come": ("comes", "coming", "came", "come"), "sleep": ("sleeps", "sleeping", "slept", "slept"),
    "spend": ("spends", "spending", "spent", "spent"), "see": ("sees", "seeing", "saw", "seen"),
    "travel": ("travels", "traveling", "traveled", "traveled"),
    "program": ("programs", "programming", "programmed", "programmed"),
    "feel": ("feels", "feeling", "felt", "felt"), "hold": ("holds", "holding", "held", "held"),
    "commute": ("commutes", "commuting", "commuted", "commuted"), "die": ("dies", "dying", "died", "died"),
    "show": ("shows", "showing", "showed", "shown"), "choose": ("chooses", "choosing", "chose", "chosen"),
    "break": ("breaks", "breaking", "broke", "broken"), "stay": ("stays", "staying", "stayed", "stayed"),
    "visit": ("visits", "visiting", "visited", "visited"), "answer": ("answers", "answering", "answered", "answered"),
    "prefer": ("prefers", "preferring", "preferred", "preferred"), "suffer": ("suffers", "suffering", "suffered", "suffered"),
    "enjoy": ("enjoys", "enjoying", "enjoyed", "enjoyed"), "play": ("plays", "playing", "played", "played"),
    "split": ("splits", "splitting", "split", "split"), "hit": ("hits", "hitting", "hit", "hit"),
    "shut": ("shuts", "shutting", "shut", "shut"), "hurt": ("hurts", "hurting", "hurt", "hurt"),
    "cost": ("costs", "costing", "cost", "cost"), "bet": ("bets", "betting", "bet", "bet"),
    "fall": ("falls", "falling", "fell", "fallen"), "win": ("wins", "winning", "won", "won"),
    "sit": ("sits", "sitting", "sat", "sat"), "fight": ("fights", "fighting", "fought", "fought"),
    "feed": ("feeds", "feeding", "fed", "fed"), "breed": ("breeds", "breeding", "bred", "bred"),
    "weave": ("weaves", "weaving", "wove", "woven"), "sew": ("sews", "sewing", "sewed", "sewn"),
    "cut": ("cuts", "cutting", "cut", "cut"), "let": ("lets", "letting", "let", "let"),
    "draw": ("draws", "drawing", "drew", "drawn"),
    "swear": ("swears", "swearing", "swore", "sworn"), "ring": ("rings", "ringing", "rang", "rung"),
    "hide": ("hides", "hiding", "hid", "hidden"),
    "stick": ("sticks", "sticking", "stuck", "stuck"), "catch": ("catches", "catching", "caught", "caught"),
    "open": ("opens", "opening", "opened", "opened"), "draft": ("drafts", "drafting", "drafted", "drafted"),
    "deliver": ("delivers", "delivering", "delivered", "delivered"), "order": ("orders", "ordering", "ordered", "ordered"),
}  # fmt: skip
PASTS: Final = frozenset(
    past[2] for base, past in _IRREGULAR.items() if past[2] != base and base not in ("be", "have", "do")
) | {"quit"}
"""Irregular forms of what is past."""
_VOWELS: Final = frozenset("aeiou")
BE: Final = frozenset("am is are be was were been being 's".split())


@lru_cache(maxsize=2048)
def forms(base: str) -> tuple[str, str, str, str]:
    """Return third person, gerund, past and participle of a base form.

    >>> forms("study"), forms("jog")
    (('studies', 'studying', 'studied', 'studied'), ('jogs', 'jogging', 'jogged', 'jogged'))
    """
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if base.endswith("e"):
        return base + "s", (base[:-1] if not base.endswith("ee") else base) + "ing", base + "d", base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies", base + "ing", base[:-1] + "ied", base[:-1] + "ied"
    third = base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
    doubled = base + base[-1] if _doubles(base) else base
    return third, doubled + "ing", doubled + "ed", doubled + "ed"


def _doubles(base: str) -> bool:
    return (
        2 < len(base) < 6
        and base[-1] not in _VOWELS | set("wxyrn")
        and base[-2] in _VOWELS
        and base[-3] not in _VOWELS
        and sum(char in _VOWELS for char in base) == 1
    )


def third_person(word: str) -> str:
    """Return what follows he or she where the word follows I: ``live`` gives ``lives``."""
    return {"am": "is", "are": "is", "be": "is", "have": "has", "do": "does", "was": "was", "were": "was"}.get(
        word
    ) or forms(word)[0]
