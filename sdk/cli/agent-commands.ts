import type { AgentAccount, DecidedPayment } from "../api-types";
import type { SpendPolicy } from "../policy";
import { fields, table, time } from "./output";
import { policyFields, policyOptions } from "./policy-options";
import type { AddCommand } from "./program";

const NAME = "bot, or @alice/bot";

const showAgent = (agent: AgentAccount) => fields({ ...agent });

function showPolicy({ allowed_recipients, assets, limits, ...policy }: SpendPolicy): string {
  const others = Object.entries(limits).map(([asset, each]) => [
    `limits ${asset}`,
    `${each.daily} a day, ${each.per_transaction} each, held over ${each.hitl_threshold}`,
  ]);
  return fields({
    ...policy,
    allowed_recipients: allowed_recipients.join(", ") || "nobody",
    assets: assets.join(", ") || "none",
    ...Object.fromEntries(others),
  });
}

const showDecided = (decided: DecidedPayment) => fields({ ...decided });

/** `agents create`, `agents list`, `agents pause`, `agents resume`. */
export const agentCommands: AddCommand = (program, reports) => {
  const agents = program
    .command("agents")
    .description("agents: accounts with a wallet and a spend policy of their own");

  const create = policyOptions(
    agents.command("create").description("register an agent").argument("<name>", "1 to 32 of a-z 0-9 - _"),
    "--policy <file>",
  );
  create.action((name: string) =>
    reports.withClient(
      create,
      async (client) => client.createAgent({ name, policy: await policyFields(create.opts()) }),
      showAgent,
    ),
  );

  const list = agents.command("list").description("the account's agents");
  list.action(() =>
    reports.withClient(
      list,
      (client) => client.listAgents(),
      (result) =>
        table(
          ["handle", "status", "id", "address", "policy"],
          result.agents.map((agent) => [
            agent.handle,
            agent.status,
            agent.account_id,
            agent.public_key,
            agent.spend_policy_id,
          ]),
          "No agents yet. Make one with: halcyon agents create bot",
        ),
    ),
  );

  const pause = agents.command("pause").description("stop an agent's payments at once").argument("<name>", NAME);
  pause.action((name: string) => reports.withClient(pause, (client) => client.pauseAgent(name), showAgent));

  const resume = agents.command("resume").description("let a paused agent pay again").argument("<name>", NAME);
  resume.action((name: string) => reports.withClient(resume, (client) => client.resumeAgent(name), showAgent));
};

/** `policy get`, `policy set`. */
export const policyCommands: AddCommand = (program, reports) => {
  const policy = program.command("policy").description("an agent's spend policy");

  const get = policy.command("get").description("show it").argument("<name>", NAME);
  get.action((name: string) => reports.withClient(get, (client) => client.getPolicy(name), showPolicy));

  const set = policyOptions(
    policy.command("set").description("change the given fields; the others keep their values").argument("<name>", NAME),
    "--file <file>",
  );
  set.action((name: string) =>
    reports.withClient(
      set,
      async (client) => client.setPolicy(name, (await policyFields(set.opts())) ?? {}),
      showPolicy,
    ),
  );
};

/** `pending`, `approve`, `reject`. */
export const approvalCommands: AddCommand = (program, reports) => {
  const pending = program.command("pending").description("agents' payments that wait for approval, opened here");
  pending.action(() =>
    reports.withClient(
      pending,
      (client) => client.pending(),
      (result) =>
        table(
          ["id", "agent", "to", "amount", "asset", "memo", "requested", "expires"],
          result.pending.map((entry) => [
            entry.transaction_id,
            entry.agent,
            entry.to,
            entry.amount === null ? "unreadable" : entry.amount,
            entry.asset,
            entry.memo,
            time(entry.requested_at),
            time(entry.expires_at),
          ]),
          "Nothing waits for approval.",
        ),
    ),
  );

  const approve = program
    .command("approve")
    .description("pay what an agent asked for; with the wallet it is built on this machine")
    .argument("<id>", "the transaction's id");
  approve.action((id: string) => reports.withClient(approve, (client) => client.approve(id), showDecided));

  const reject = program
    .command("reject")
    .description("drop a held payment; no money moves")
    .argument("<id>", "the transaction's id");
  reject.action((id: string) => reports.withClient(reject, (client) => client.reject(id), showDecided));
};
