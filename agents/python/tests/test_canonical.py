"""The canonical form: the vectors of the protocol, and numbers as ECMAScript prints."""

from __future__ import annotations

import unittest

from parley_agents import CanonicalError, canonicalize, parse_strict
from parley_agents.canonical import sha256_hex

from .support import read_vector


class CanonicalTest(unittest.TestCase):
    def test_accepted_vectors(self) -> None:
        for case in read_vector("canonical/accepted.json")["cases"]:
            with self.subTest(case["text"]):
                text = canonicalize(parse_strict(case["text"]))
                self.assertEqual(text, case["canonical"])
                self.assertEqual(sha256_hex(text.encode()), case["sha256"])

    def test_refused_vectors(self) -> None:
        for case in read_vector("canonical/refused.json")["cases"]:
            with self.subTest(case["name"]), self.assertRaises(CanonicalError):
                parse_strict(case["text"])

    def test_numbers(self) -> None:
        cases = {
            0.0: "0",
            1.0: "1",
            -1.5: "-1.5",
            0.1: "0.1",
            1e-6: "0.000001",
            1e-7: "1e-7",
            1.25e-9: "1.25e-9",
            123456789.125: "123456789.125",
            1e20: "100000000000000000000",
            1e21: "1e+21",
            -1.5e300: "-1.5e+300",
            5e-324: "5e-324",
            2**53 - 1: "9007199254740991",
            2**53: "9007199254740992",
            2**64: "18446744073709552000",
            10**22: "1e+22",
        }
        for number, text in cases.items():
            with self.subTest(number):
                self.assertEqual(canonicalize(number), text)

        self.assertEqual(canonicalize(-0.0), "0")

    def test_keys_are_sorted_by_utf16_code_units(self) -> None:
        # By code points, U+FB33 is before U+1F600; by UTF-16 units it is after it.
        value = {"\ufb33": 1, "\U0001f600": 2, "a": True, "B": None}
        self.assertEqual(
            canonicalize(value), '{"B":null,"a":true,"\U0001f600":2,"\ufb33":1}'
        )

    def test_what_has_no_form(self) -> None:
        for value in (float("nan"), float("inf"), "\ud83d", {"\ude00": 1}, 10**400):
            with self.subTest(value), self.assertRaises(CanonicalError):
                canonicalize(value)
        for value in (object(), {1: 2}, b"bytes"):
            with self.subTest(value), self.assertRaises(TypeError):
                canonicalize(value)

    def test_deep_nesting_is_refused_and_does_not_end_the_process(self) -> None:
        for depth in (33, 2_000, 200_000):
            with self.subTest(depth), self.assertRaises(CanonicalError):
                parse_strict("[" * depth + "1" + "]" * depth)
        self.assertTrue(parse_strict("[" * 32 + "1" + "]" * 32))


if __name__ == "__main__":
    unittest.main()
