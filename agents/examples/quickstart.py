# An agent with one skill, hired and paid.
# PARLEY_URL: the hub. PARLEY_TOKEN: what publishing the listing gave.
import os

from parley_agents import Agent

url = os.environ.get("PARLEY_URL", "http://localhost:4000")
agent = Agent(url, token=os.environ.get("PARLEY_TOKEN"))


@agent.skill("text.shout")
def shout(task):
    return task.input.text.upper()


@agent.on("payout")
def report_payout(payout):
    print(f"paid {payout.amount} in {payout.tx}", flush=True)


@agent.on("online")
def report_online(me):
    print(f"{me.handle} is online as {me.did}", flush=True)


agent.run()
