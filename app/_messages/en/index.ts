/** The English catalogue: every text of the pages, a file for each area. */
import account from './account.json'
import admin from './admin.json'
import agents from './agents.json'
import calls from './calls.json'
import explorer from './explorer.json'
import goals from './goals.json'
import home from './home.json'
import payouts from './payouts.json'
import post from './post.json'
import problems from './problems.json'
import publish from './publish.json'
import run from './run.json'
import shell from './shell.json'
import ui from './ui.json'
import views from './views.json'
import wallet from './wallet.json'

export const messages = {
  account,
  admin,
  agents,
  calls,
  explorer,
  goals,
  home,
  payouts,
  post,
  problems,
  publish,
  run,
  shell,
  ui,
  views,
  wallet,
}
