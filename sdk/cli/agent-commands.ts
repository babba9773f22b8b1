import { Argument, Option } from "commander";
import type { RefundsTo } from "../account/agent-refunds";
import { HalcyonError } from "../api/errors";
import type { Agent } from "../api/resources/agents";
import type { DecidedPayment } from "../api/resources/approvals";
import type { AvailableRefunds } from "../payments/refunds/make-refunds-available";
import { KEY } from "./idempotency-key-option";
import { moreOf, pageOptions } from "./listing";
import { lookAgain, untilStopped } from "./look-again";
import { integer } from "./option-values";
import { fields, table, time } from "./output";
import { changedPolicyFields, policyFields, policyOptions } from "./policy-options";
import { policyText } from "./policy-text";
import type { AddCommand } from "./program";
import { notRenewed } from "./safety-commands";
import { withExamples } from "./with-examples";

const NAME = "bot, or @alice/bot";

const showAgent = (agent: Agent) => fields({ ...agent });

const showDecided = (decided: DecidedPayment) => fields({ ...decided });

function showRefunds({ agent, asset, refunds, amount }: AvailableRefunds): string {
  return `${agent}  ${amount} ${asset} of ${refunds === 1 ? "1 refund" : `${refunds} refunds`} made available`;
}

/** `agents create`, `agents list`, `agents pause`, `agents resume`, `agents end`, `agents replace-key`. */
export const agentCommands: AddCommand = (program, reports) => {
  const agents = withExamples(
    program.command("agents").description("agents: accounts for programs, limited by a spend policy"),
    "agents create bot --policy bot.json",
    "agents list",
  );

  const create = withExamples(
    policyOptions(
      agents.command("create").description("create an agent").argument("<name>", "1 to 32 of a-z 0-9 - _"),
      "--policy <file>",
    ),
    "agents create bot --policy bot.json",
    "agents create bot --daily-limit 100 --per-transaction-limit 20 --threshold 10 --recipients '@bob,*.shop.test'",
  );
  create.action((name: string) =>
    reports.withClient(
      create,
      async (client) => client.agents.create({ name, spendPolicy: await policyFields(create.opts()) }),
      showAgent,
    ),
  );

  const list = withExamples(
    pageOptions(agents.command("list").description("list the account's agents")),
    "agents list",
  );
  list.action(() =>
    reports.withClient(
      list,
      (client) => client.agents.list(list.opts()),
      (result) =>
        `${table(
          ["handle", "status", "id", "address", "policy"],
          result.agents.map((agent) => [
            agent.handle,
            agent.status,
            agent.account_id,
            agent.public_key,
            agent.spend_policy_id,
          ]),
          "No agents yet. Create one with: halcyon agents create bot",
        )}${moreOf(result)}`,
    ),
  );

  const refunds = withExamples(
    agents
      .command("refunds")
      .description("show, or set, where refunds of what an agent paid go (needs the wallet key)")
      .argument("<name>", NAME)
      .addArgument(
        new Argument("[where]", "available: to the agent; owner: to your own account").choices(["available", "owner"]),
      ),
    "agents refunds bot",
    "agents refunds bot owner",
  );
  refunds.action((name: string, where?: RefundsTo) =>
    reports.withClient(
      refunds,
      (client) => (where ? client.agents.setRefunds(name, { refunds: where }) : client.agents.refunds(name)),
      (result) => fields({ ...result }),
    ),
  );

  const collect = withExamples(
    agents
      .command("make-refunds-available")
      .description("make refunds that came back to your agents available to them again (needs the wallet key)")
      .option("--watch", "look every 30 seconds, until Ctrl-C"),
    "agents make-refunds-available",
    "agents make-refunds-available --watch",
  );
  collect.action(() => {
    if (!collect.opts<{ watch?: boolean }>().watch) {
      return reports.withClient(
        collect,
        async (client) => ({ refunds: await client.agents.makeRefundsAvailable() }),
        ({ refunds }) => (refunds.length === 0 ? "No refunds to make available." : refunds.map(showRefunds).join("\n")),
      );
    }
    return reports.streaming<AvailableRefunds>(
      collect,
      (client, tell, closed) =>
        lookAgain(untilStopped(closed), async () => {
          for (const outcome of await client.agents.makeRefundsAvailable()) tell(outcome);
        }),
      showRefunds,
    );
  });

  const pause = withExamples(
    agents.command("pause").description("stop an agent's payments immediately").argument("<name>", NAME),
    "agents pause bot",
  );
  pause.action((name: string) => reports.withClient(pause, (client) => client.agents.pause(name), showAgent));

  const resume = withExamples(
    agents.command("resume").description("let a paused agent pay again").argument("<name>", NAME),
    "agents resume @alice/bot",
  );
  resume.action((name: string) => reports.withClient(resume, (client) => client.agents.resume(name), showAgent));

  const end = withExamples(
    agents
      .command("end")
      .description("end an agent for good: nothing pays from its balance any more, and only you move its money")
      .argument("<name>", NAME),
    "agents end bot",
  );
  end.action((name: string) =>
    reports.withClient(
      end,
      (client) => client.agents.end(name),
      ({ handle, ...ended }) => {
        const from = handle ? `--from ${handle} --to ${handle.split("/")[0]}` : "--from bot --to @you";
        const money = `Its money is still yours. Take it back with: halcyon send --client-signed ${from} --amount …`;
        return `${fields({ handle, ...ended })}\n\nIts API keys are revoked, and what waited for approval is rejected. ${money}`;
      },
    ),
  );

  const replace = withExamples(
    agents
      .command("replace-key")
      .description("replace an agent's signing key after a leak; its API keys, money and policy stay")
      .argument("<name>", NAME),
    "agents replace-key bot",
  );
  replace.action((name: string) =>
    reports.withClient(
      replace,
      (client) => client.agents.replaceKey(name),
      ({ lost = [], unfinished = [], ...replaced }) =>
        [fields(replaced), ...notRenewed({ lost, unfinished })].join("\n"),
    ),
  );
};

/** `policy get`, `policy set`. */
export const policyCommands: AddCommand = (program, reports) => {
  const policy = withExamples(
    program.command("policy").description("an agent's spend policy"),
    "policy get bot",
    "policy set bot --threshold 25",
  );

  const get = withExamples(
    policy.command("get").description("show a policy").argument("<name>", NAME),
    "policy get bot",
    "policy get bot --json > bot.json",
  );
  get.action((name: string) =>
    reports.withClient(
      get,
      (client) => client.policies.get(name),
      (policy) => policyText(policy),
    ),
  );

  const set = withExamples(
    policyOptions(
      policy
        .command("set")
        .description("change the fields you name; the others keep their values")
        .argument("<name>", NAME),
      "--file <file>",
    ),
    "policy set bot --daily-limit 200 --active-hours 09:00-18:00 --time-zone Europe/Berlin",
    "policy set bot --file bot.json",
  );
  set.action((name: string) =>
    reports.withClient(
      set,
      async (client) => client.policies.update(name, await changedPolicyFields(set.opts())),
      (policy) => policyText(policy),
    ),
  );
};

/** `pending`, `approve`, `reject`. */
export const approvalCommands: AddCommand = (program, reports) => {
  const pending = withExamples(
    program
      .command("pending")
      .description("list agent payments awaiting approval, oldest first; amounts are decrypted on this machine")
      .option("--limit <number>", "how many, up to 100", integer, 20)
      .option("--offset <number>", "how many to skip", integer)
      .addOption(new Option("--starting-after <id>", "what follows this payment in the list").conflicts("offset"))
      .option("--reference <text>", "only those with exactly this reference")
      .option("--agent <name>", "only this agent"),
    "pending",
    "pending --agent bot --limit 100",
  );
  pending.action(() =>
    reports.withClient(
      pending,
      (client) => client.approvals.list(pending.opts()),
      (result) =>
        `${table(
          ["id", "agent", "to", "amount", "asset", "memo", "reference", "requested", "expires"],
          result.pending.map((entry) => [
            entry.transaction_id,
            entry.agent,
            entry.to,
            entry.amount === null ? "unreadable" : entry.amount,
            entry.asset,
            entry.memo,
            entry.reference,
            time(entry.requested_at),
            time(entry.expires_at),
          ]),
          "No payments are awaiting approval.",
        )}${moreOf(result)}`,
    ),
  );

  const approve = withExamples(
    program
      .command("approve")
      .description("approve an agent's payment; with the wallet key it is built and signed on this machine")
      .argument("<id>", "the transaction's id")
      .option(...KEY),
    "approve txn_01M7Y0D782DCT0HV92M2GAZR6T",
  );
  approve.action((id: string) => {
    const { idempotencyKey } = approve.opts<{ idempotencyKey?: string }>();
    return reports.withClient(approve, (client) => client.approvals.approve(id, { idempotencyKey }), showDecided);
  });

  const reject = withExamples(
    program
      .command("reject")
      .description("reject a payment awaiting approval, or all of them; no money moves")
      .argument("[id]", "the transaction's id")
      .option("--all", "reject every payment awaiting approval")
      .option("--agent <name>", "with --all: only this agent's"),
    "reject txn_01M7Y0D782DCT0HV92M2GAZR6T",
    "reject --all --agent bot",
  );
  reject.action((id: string | undefined) => {
    const { all, agent } = reject.opts<{ all?: boolean; agent?: string }>();
    if ((id !== undefined) === (all === true) || (agent !== undefined && !all)) {
      throw new HalcyonError(
        "invalid_request",
        "Name one transaction, or use --all (with --agent: only that agent's).",
      );
    }
    if (id !== undefined) return reports.withClient(reject, (client) => client.approvals.reject(id), showDecided);
    return reports.withClient(
      reject,
      (client) => client.approvals.rejectAll({ agent }),
      ({ rejected }) => (rejected === 0 ? "No payments were awaiting approval." : `Rejected ${rejected}.`),
    );
  });
};
