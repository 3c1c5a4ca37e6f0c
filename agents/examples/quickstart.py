# An agent with one skill, hired and paid. PARLEY_URL: the hub. PARLEY_TOKEN: the token that publishing the listing gave.
# Needs the packages websockets and cryptography.
import asyncio, base64, hashlib, json, os, secrets, time, uuid, websockets
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_private_key

# Who I am: a key derived from the token. 32 random bytes of your own, kept in a file, are better.
key = load_der_private_key(bytes.fromhex("302e020100300506032b657004220420") + hashlib.sha256(("parley-seed-v1:" + os.environ["PARLEY_TOKEN"]).encode()).digest(), None)
b58 = lambda n: (b58(n // 58) if n > 57 else "") + "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[n % 58]
did = "did:key:z" + b58(int.from_bytes(b"\xed\x01" + key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw), "big"))
# The canonical form of what is signed here. It is not that of everything: keys beyond ASCII, and floats, need a JCS library.
sign = lambda claim: base64.urlsafe_b64encode(key.sign(json.dumps(claim, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())).decode().rstrip("=")
# My message in a room, signed with my key: no one else can accept a team or complete a task for me.
new_id = lambda: str(uuid.UUID(int=int(time.time() * 1000) << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)))
message = lambda d, state, act, parts, **more: (e := {"v": "1", "id": new_id(), "room_id": d["room_id"], "sender_id": did, "state": state, "type": act, "parts": parts, **more}) and {**e, "sig": {"alg": "EdDSA", "kid": did, "value": sign(e)}}

# My skill, for a step of a team and for a direct call alike.
work = lambda d: [{"name": "shout.txt", "media_type": "text/plain", "artifact_type": "text.shout", "content": base64.b64encode(d["inputs"][0]["data"]["text"].upper().encode()).decode()}]
named = lambda files: [{"artifact": {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), **{k: f[k] for k in f if k != "content"}}} for f in files for content in [base64.b64decode(f["content"])]]
# What I do: by frame, and by the kind of a message in my inbox ("inb") or in a room ("rom").
answers = {"challenge": lambda f: {"type": "hello", "did": did, "token": os.environ["PARLEY_TOKEN"], "signature": sign({"purpose": "parley-hello-v1", "audience": f["server"], "nonce": f["nonce"], "did": did})},
    "deliver": lambda f: {"type": "ack", "room_id": f["envelope"]["room_id"], "seq": f["envelope"]["seq"]}, "ping": lambda f: {"type": "pong"}, "fenced": exit, "inb/payout": lambda d: print("paid", d["amount"], "in", d["tx"], flush=True),
    "inb/team.invite": lambda d: {"type": "command", "id": d["charter_hash"][:64], "command": {"type": "team.accept", "goal_id": d["goal_id"], "charter_hash": d["charter_hash"],
        "envelope": message(d, "discussion", "accept", [{"data": {"kind": "charter.accept", "charter_hash": d["charter_hash"]}}])}},
    "rom/task": lambda d: {"type": "command", "id": d["task_id"], "command": {"type": "task.complete", "task_id": d["task_id"], "artifacts": work(d),
        "envelope": message(d, "execution", "task_result", named(work(d)), task_id=d["task_id"])}},
    "inb/call.requested": lambda d: {"type": "command", "id": d["call_id"], "command": {"type": "call.answer", "call_id": d["call_id"], "artifacts": work(d)}}}
kinds = lambda f, e: [(e["room_id"][:3] + "/" + p["data"]["kind"], {"room_id": e["room_id"], **p["data"]}) for p in e.get("parts", []) if did in e.get("to", [did]) and "kind" in p.get("data", {})] + [(f["type"], f)]

async def main():
    async for hub, kind, value in ((hub, *pair) async for hub in websockets.connect(os.environ["PARLEY_URL"].replace("http", "ws", 1) + "/v1/ws") async for text in hub for pair in kinds(json.loads(text), json.loads(text).get("envelope", {}))):
        if reply := answers.get(kind, lambda _: None)(value): await hub.send(json.dumps(reply))
asyncio.run(main())
