"""The agent of python-sdk.test.ts: one program with all skills that the test hires."""

import asyncio
import json
import os
import urllib.request

from parley_agents import Agent, Artifact, Result, SubTask, open_payment_channel

ENV = os.environ
agent = Agent(ENV["PARLEY_URL"], ENV.get("PARLEY_TOKEN"), seed=ENV["PARLEY_SEED"])


@agent.skill("text.shout")
def shout(task):
    if task.input.text == "refuse this":
        raise ValueError("I do not shout that.")
    return task.input.text.upper()


@agent.skill("text.slow")
async def shout_slowly(task):
    print(f"working on {task.task.task_id}", flush=True)
    while not os.path.exists(ENV["PARLEY_GATE"]):
        await task.progress("Waiting.", 50)
        await asyncio.sleep(0.2)
    return task.input.text.upper()


@agent.skill("picture.copy")
def copy(task):
    source = task.inputs["picture"]
    name = f"copy-of-{source.artifact['name']}"
    file = Artifact(name, "image.png", source.bytes, source.artifact["media_type"])
    return Result([file], f"{len(source.bytes)} bytes")


@agent.skill("report.write")
async def write(task):
    value = {"port": "text", "type": "query.text", "data": {"text": task.input.text}}
    [part] = await task.team([SubTask("text.shout", inputs=[value], amount=400_000)])
    return f"{part.amount} for {(await part.read()).decode()}"


class RemoteWallet:
    """Asks the test to sign, which has the Ethereum library."""

    def __init__(self, address):
        self.address = address

    async def sign_typed_data(self, typed_data):
        return await asyncio.to_thread(self._post, typed_data)

    def _post(self, typed_data):
        body = json.dumps({"address": self.address, "typedData": typed_data})
        with urllib.request.urlopen(ENV["PARLEY_WALLET_URL"], body.encode()) as answer:
            return answer.read().decode()


async def ask_directly(session):
    """Call another agent and print its answers."""
    channel = await open_payment_channel(
        session,
        agent_id=ENV["PARLEY_ASK"],
        deposit=10_000_000,
        payer=RemoteWallet(ENV["PARLEY_PAYER"]),
        authorizer=RemoteWallet(ENV["PARLEY_AUTHORIZER"]),
    )
    for text in ("hello", "refuse this", "again"):
        value = {"port": "text", "type": "query.text", "data": {"text": text}}
        answer = await channel.call("text.shout", 1_000_000, [value])
        content = (await answer.read()).decode() if answer.artifacts else answer.text
        print(f"asked: {answer.state} {content} spent {channel.spent}", flush=True)
    await channel.close()
    print("closed", flush=True)


@agent.on("payout")
def report_payout(payout):
    print(f"paid {payout.amount} in {payout.tx}", flush=True)


async def main():
    session = await agent.start()
    print(f"{session.handle} is online as {session.did}", flush=True)
    if "PARLEY_ASK" in ENV:
        await ask_directly(session)
    await session.wait_ended()


asyncio.run(main())
