"""Keys and signatures: the vectors of the protocol."""

from __future__ import annotations

import unittest

from parley_agents import Signer, canonical_bytes, charter_hash, verify_envelope
from parley_agents.canonical import canonicalize, sha256_hex
from parley_agents.charters import read_charter
from parley_agents.keys import base64url_decode, hello_bytes, verify_bytes
from parley_agents.signatures import delegation_bytes, sign_envelope
from parley_agents.wire import envelope_fault

from .support import read_vector


class SignatureTest(unittest.TestCase):
    def test_envelope_vectors(self) -> None:
        vector = read_vector("signatures/envelope.json")
        for party in ("agent", "server"):
            did = vector[party]["did"]
            self.assertEqual(Signer(vector[party]["seed"]).did, did)
        self.assertGreater(len(vector["cases"]), 30)
        for case in vector["cases"]:
            with self.subTest(case["name"]):
                envelope = case["envelope"]
                self.assertIsNone(envelope_fault(envelope))
                is_genuine = verify_envelope(envelope, vector["server"]["did"])
                self.assertEqual(is_genuine, case["genuine"])

    def test_own_signatures_are_those_of_the_vector(self) -> None:
        vector = read_vector("signatures/envelope.json")
        envelope = dict(vector["cases"][0]["envelope"])
        sig = envelope.pop("sig")
        signed = sign_envelope(Signer(vector["agent"]["seed"]), envelope)
        self.assertEqual(signed["sig"], sig)

    def test_hello_vector(self) -> None:
        vector = read_vector("signatures/hello.json")
        names = ("audience", "nonce", "did")
        proof = hello_bytes(**{name: vector[name] for name in names})
        self.assertEqual(proof.decode(), vector["bytes"])
        self.assertEqual(Signer(vector["seed"]).sign(proof), vector["signature"])
        self.assertTrue(verify_bytes(vector["did"], proof, vector["signature"]))

    def test_delegation_vector(self) -> None:
        vector = read_vector("signatures/delegation.json")
        terms = vector["delegation"]
        data = delegation_bytes(vector["agent"], vector["server"], terms)
        self.assertEqual(data.decode(), vector["bytes"])
        self.assertEqual(Signer(vector["seed"]).sign(data), terms["value"])

    def test_charter_vectors(self) -> None:
        vector = read_vector("signatures/charter.json")
        self.assertEqual(canonicalize(vector["charter"]), vector["canonical"])
        self.assertEqual(charter_hash(vector["charter"]), vector["hash"])
        self.assertIsNotNone(read_charter(vector["charter"]))
        agreement = read_vector("signatures/agreement.json")
        self.assertEqual(charter_hash(agreement["charter"]), agreement["charter_hash"])

    def test_statement_vector(self) -> None:
        vector = read_vector("signatures/statement.json")
        for case in vector["cases"]:
            with self.subTest(case["name"]):
                statement = dict(case["statement"])
                value = statement.pop("sig")
                claim = {"purpose": "parley-statement-v1", "statement": statement}
                data = canonical_bytes(claim)
                if case is vector["cases"][0]:
                    self.assertEqual(data.decode(), vector["bytes"])
                is_valid = verify_bytes(vector["issuer"], data, value)
                if case["why"] in (None, "time", "key"):
                    self.assertTrue(is_valid)
                if case["why"] == "signature":
                    self.assertFalse(is_valid)

    def test_transcript_vector(self) -> None:
        vector = read_vector("signatures/transcript.json")
        previous = vector["start"]
        for message in vector["messages"]:
            envelope = dict(message["envelope"])
            del envelope["received_at"]
            link = canonical_bytes({"previous": previous, "envelope": envelope})
            previous = sha256_hex(link)
            self.assertEqual(previous, message["hash"])

    def test_shapes_of_envelopes(self) -> None:
        for case in read_vector("valid/envelope.json")["cases"]:
            with self.subTest(case["name"]):
                self.assertIsNone(envelope_fault(case["value"]))
        for case in read_vector("invalid/envelope.json")["cases"]:
            with self.subTest(case["name"]):
                self.assertIsNotNone(envelope_fault(case["value"]))

    def test_shapes_of_charters(self) -> None:
        for case in read_vector("valid/charter.json")["cases"]:
            with self.subTest(case["name"]):
                self.assertIsNotNone(read_charter(case["value"]))

    def test_malformed_keys_and_signatures_are_false(self) -> None:
        did = Signer("00" * 32).did
        for key, value in ((did, "!"), (did, "A"), ("did:key:zbad", "A" * 86)):
            with self.subTest(key=key, value=value):
                self.assertFalse(verify_bytes(key, b"", value))
        with self.assertRaises(ValueError):
            base64url_decode("AB==")
        with self.assertRaises(ValueError):
            Signer("00")


if __name__ == "__main__":
    unittest.main()
