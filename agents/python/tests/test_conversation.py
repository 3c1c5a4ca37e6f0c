"""The state of a room, computed from its messages."""

from __future__ import annotations

import unittest
from typing import Any

from parley_agents import Conversation, Signer, charter_hash, new_id
from parley_agents.charters import hire_into, lead_of_room, may_hire
from parley_agents.conversation import _FOLLOWERS, read_state, reduce_conversation

from .fake_hub import FakeHub
from .support import read_vector
from .team import Team

Json = dict[str, Any]
AGENT = Signer("01" * 32).did


class ConversationTest(unittest.TestCase):
    def setUp(self) -> None:
        self.team = Team(FakeHub(), AGENT)
        self.server = self.team.hub.did
        self.state = Conversation(self.team.room_id, self.server)
        self.charter = self.team.charter()
        self.hash = charter_hash(self.charter)

    def add(self, sender: str, act: str, data: Json | None = None, **more: Any) -> None:
        parts = [{"data": data}] if data else [{"text": "A text."}]
        envelope = {"room_id": self.team.room_id, "sender_id": sender, "type": act}
        envelope |= {"seq": self.state.seq + 1, "state": "discussion", "parts": parts}
        self.state = reduce_conversation(self.state, {**envelope, **more})

    def propose(self, charter: Json, sender: str | None = None) -> None:
        proposal = {"kind": "charter", "charter": charter}
        proposal["charter_hash"] = charter_hash(charter)
        self.add(sender or self.team.lead.did, "propose", proposal)

    def assign(self) -> str:
        task_id = new_id("tsk")
        data = {"kind": "task", "task_id": task_id, "step": 1, "inputs": []}
        self.add(self.team.lead.did, "sync_task_assignment", data, task_id=task_id)
        return task_id

    def test_transitions_are_those_of_the_vector(self) -> None:
        allowed = read_vector("transitions/conversation.json")["allowed"]
        own = [(state, to) for state, after in _FOLLOWERS.items() for to in after]
        self.assertEqual(sorted(map(tuple, allowed)), sorted(own))

    def test_a_charter_is_proposed_accepted_and_recorded(self) -> None:
        self.propose(self.charter, sender=AGENT)
        self.assertIsNone(self.state.charter)
        self.propose(self.charter)
        self.assertEqual(self.state.unsigned, [AGENT])
        accept = {"kind": "charter.accept", "charter_hash": "0x0"}
        self.add(AGENT, "accept", accept)
        self.assertEqual(self.state.unsigned, [AGENT])
        self.add(AGENT, "accept", {**accept, "charter_hash": self.hash})
        self.assertEqual(self.state.unsigned, [])
        recorded = {"kind": "charter.recorded", "version": 1, "charter_hash": self.hash}
        self.add(AGENT, "discussion", recorded)
        self.assertFalse(self.state.is_charter_recorded)
        self.add(self.server, "discussion", recorded)
        self.assertTrue(self.state.is_charter_recorded)
        self.assertEqual(self.state.next_charter_version, 2)
        # The same version cannot be proposed again.
        self.propose(self.team.charter(amount="1"))
        self.assertEqual(self.state.charter_hash, self.hash)

    def test_a_refused_charter_is_withdrawn(self) -> None:
        self.propose(self.charter)
        second = self.team.charter(version=2)
        self.propose(second)
        in_force = {"charter": self.charter, "charter_hash": self.hash}
        data = {"kind": "charter.withdrawn", "version": 2, "reason": "Too late."}
        data |= {"charter_hash": charter_hash(second), "in_force": in_force}
        self.add(self.server, "discussion", data)
        self.assertEqual(self.state.charter_hash, self.hash)
        self.assertEqual(self.state.next_charter_version, 3)

    def test_only_the_assignee_reports_on_a_task(self) -> None:
        self.propose(self.charter)
        task_id = self.assign()
        self.add(self.team.lead.did, "task_result", None, task_id=task_id)
        self.assertEqual(self.state.tasks[task_id].status, "submitted")
        progress = {"kind": "progress", "done": 40}
        self.add(AGENT, "task_progress", progress, task_id=task_id)
        task = self.state.tasks[task_id]
        self.assertEqual((task.status, task.done), ("working", 40))
        self.add(AGENT, "task_result", None, task_id=task_id)
        task = self.state.tasks[task_id]
        self.assertEqual(
            (task.status, task.text, task.done), ("completed", "A text.", 100)
        )
        self.add(AGENT, "error", None, task_id=task_id)
        self.assertEqual(self.state.tasks[task_id].status, "completed")
        returned = {"kind": "task.returned", "task_ids": [task_id], "reason": "Wrong."}
        self.add(self.server, "discussion", returned)
        self.assertEqual(self.state.tasks[task_id].status, "returned")

    def test_the_server_expires_tasks_and_closes_the_room(self) -> None:
        self.propose(self.charter)
        task_id = self.assign()
        expired = {"kind": "task.expired", "task_id": task_id, "step": 1}
        self.add(AGENT, "discussion", expired)
        self.assertEqual(self.state.tasks[task_id].status, "submitted")
        self.add(self.server, "discussion", expired)
        self.assertEqual(self.state.tasks[task_id].status, "expired")
        self.add(
            self.team.lead.did, "conclusion", {"kind": "conclusion", "outcome": "f"}
        )
        self.assertEqual(self.state.concluded, "f")
        self.add(self.server, "discussion", {"kind": "hold.captured", "tx": "0x"})
        self.assertEqual(self.state.closed, "captured")

    def test_nothing_raises(self) -> None:
        kinds = ["charter.recorded", "charter.amended", "charter.withdrawn", "task"]
        kinds += ["task.expired", "task.returned", "sub_team.ended", "charter"]
        acts = ["propose", "accept", "decline", "sync_task_assignment", "error", "?"]
        for sender in (self.server, self.team.lead.did):
            for act in [*acts, "task_progress", "task_result", "conclusion"]:
                for kind in kinds:
                    self.add(sender, act, {"kind": kind}, state="later")
        self.assertEqual(self.state.state, "discussion")
        self.assertEqual(read_state(None), "discussion")

    def test_a_message_is_counted_once(self) -> None:
        self.propose(self.charter)
        seq = self.state.seq
        self.add(AGENT, "decline", seq=seq)
        self.assertEqual(self.state.declined, ())
        self.add(AGENT, "decline")
        self.assertEqual(self.state.declined, ((AGENT, "A text."),))


class HiringTest(unittest.TestCase):
    def setUp(self) -> None:
        self.team = Team(FakeHub(), AGENT)
        self.room_id = new_id("rom")
        fields = {**self.team.charter()["steps"][0], "amount": "30"}
        self.other = Signer("02" * 32).did
        fields["sender_id"] = self.other
        self.fields = fields

    def hire(self, amounts: list[str]) -> Json:
        hired = [
            ({**self.fields, "amount": amount}, range(index))
            for index, amount in enumerate(amounts)
        ]
        return hire_into(
            self.team.charter(), step=1, room_id=self.room_id, version=2, hired=hired
        )

    def test_a_step_pays_its_team(self) -> None:
        charter = self.hire(["30", "50"])
        self.assertEqual(
            [step["amount"] for step in charter["steps"]], ["20", "30", "50"]
        )
        last = charter["steps"][-1]
        self.assertEqual(
            (last["step"], last["parent"], last["depends_on"]), (3, 1, [2])
        )
        self.assertEqual(lead_of_room(charter, self.room_id), AGENT)
        self.assertEqual(charter["version"], 2)
        with self.assertRaisesRegex(ValueError, "costs 101"):
            self.hire(["100", "1"])

    def test_no_circle_of_hirers(self) -> None:
        charter = self.hire(["30"])
        own, below = charter["steps"]
        third = Signer("03" * 32).did
        self.assertFalse(may_hire(charter, own, AGENT))
        self.assertTrue(may_hire(charter, own, self.other))
        for did in (AGENT, self.other, self.team.lead.did):
            self.assertFalse(may_hire(charter, below, did))
        self.assertTrue(may_hire(charter, below, third))
