import { writeFile } from "node:fs/promises";
import type { TestInfo } from "@playwright/test";
import { awayFromMidnight } from "../away-from-midnight";
import { type Caller, halcyon, ok } from "../halcyon";
import { expect, type Person, refusal, test } from "./fixtures";

interface Agent {
  account_id: string;
  handle: string;
  public_key: string;
}

interface Shown {
  transfer_id: string;
  direction: string;
  from: string;
  to: string;
  amount: string | null;
  memo: string | null;
}

interface Held {
  transaction_id: string;
  agent: string;
  to: string;
  amount?: string;
  memo?: string;
}

const POLICY = {
  daily_limit_usdg: 40,
  per_transaction_limit_usdg: 20,
  hitl_threshold_usdg: 10,
  active_hours: "00:00-24:00",
};

/** A program that has only an API key, without wallet and pins. */
function keyHolder(apiKey: string, url: string | undefined, info: TestInfo): Caller {
  return { url: url ?? "", apiKey, env: { HALCYON_CONFIG_DIR: info.outputPath("config") } };
}

async function refused(caller: Caller, ...args: string[]): Promise<{ code: string; reason?: string; param?: string }> {
  return refusal(await halcyon(caller, ...args), args.join(" "));
}

async function keyOf(owner: Person, agent: string): Promise<string> {
  const created = await owner.json<{ api_key: string }>("keys", "create", "--label", agent, "--agent", agent);
  return created.api_key;
}

const transfersOf = async (person: Person, ...args: string[]) =>
  (await person.json<{ transfers: Shown[] }>("transfers", ...args)).transfers;

test("an agent pays within its policy; what is over its threshold waits for its owner, who alone sees the amount", async ({
  payer,
  person,
  baseURL,
}, info) => {
  await awayFromMidnight();
  const [alice, bob, carol] = [await payer("alice", "200"), await person("bob"), await person("carol")];
  const [toBob, bot] = [`@${bob.handle}`, `@${alice.handle}/bot`];

  const file = info.outputPath("policy.json");
  await writeFile(file, JSON.stringify({ ...POLICY, allowed_recipients: [toBob] }));
  const agent = await alice.json<Agent>("agents", "create", "bot", "--policy", file);
  expect(agent).toEqual({
    account_id: expect.stringMatching(/^acct_/),
    handle: bot,
    public_key: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    status: "active",
    spend_policy_id: expect.stringMatching(/^pol_/),
  });
  expect(await alice.json("agents", "list")).toEqual({ agents: [agent], has_more: false });
  expect(await alice.error(["agents", "create", "bot"])).toMatchObject({ code: "handle_taken" });
  expect(await alice.error(["policy", "get", "nobody"])).toMatchObject({ code: "not_found" });
  expect(await bob.error(["agents", "pause", bot])).toMatchObject({ code: "not_agent_owner" });
  expect(await alice.json("policy", "get", bot)).toMatchObject({ ...POLICY, allowed_recipients: [toBob] });

  await alice.json("send", "--client-signed", "--to", bot, "--amount", "30");
  await alice.json("send", "--to", bot, "--amount", "30");
  const program = keyHolder(await keyOf(alice, "bot"), baseURL, info);
  expect(await ok(program, "send", "--to", toBob, "--amount", "4", "--memo", "small")).toMatchObject({
    status: "confirmed",
  });
  const dry = await ok(program, "send", "--dry-run", "--to", toBob, "--amount", "12");
  expect(dry).toMatchObject({ dry_run: true, outcome: "held" });
  expect(await refused(program, "send", "--to", `@${carol.handle}`, "--amount", "1")).toMatchObject({
    code: "policy_violation",
    reason: "recipient_not_allowed",
  });
  expect(await refused(program, "send", "--to", toBob, "--amount", "20.000001")).toMatchObject({
    code: "policy_violation",
    reason: "per_transaction_limit",
  });

  const held = await ok<Held>(program, "send", "--to", toBob, "--amount", "12.5", "--memo", "printer");
  expect(held).toEqual({
    transaction_id: expect.stringMatching(/^txn_/),
    status: "pending_approval",
    reference: null,
    refund_of: null,
    payment_request: null,
    agent: bot,
    to: toBob,
    confidential: true,
    requested_at: expect.any(String),
    expires_at: expect.any(String),
  });
  const second = await ok<Held>(program, "send", "--to", toBob, "--amount", "11");
  const waiting = (await alice.json<{ pending: Held[] }>("pending")).pending;
  expect(waiting).toHaveLength(2);
  expect(waiting).toContainEqual(expect.objectContaining({ ...held, amount: "12.5", memo: "printer" }));
  // With a key alone, one sees that something waits and no more.
  const seen = await ok<{ pending: Held[] }>(keyHolder(alice.apiKey ?? "", baseURL, info), "pending");
  expect(seen.pending).toContainEqual(held);
  // The seconds of a time, which may be the same digits, follow a colon.
  expect(JSON.stringify(seen)).not.toMatch(/(?<!:)12\.5|12500000|printer/);

  const approved = await alice.json("approve", held.transaction_id);
  expect(approved).toEqual({
    transaction_id: held.transaction_id,
    status: "approved",
    agent: bot,
    to: toBob,
    confidential: true,
    transfer_id: expect.stringMatching(/^tr_/),
    tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    decided_at: expect.any(String),
  });
  expect(await alice.json("reject", second.transaction_id)).toMatchObject({ status: "rejected" });
  for (const id of [held.transaction_id, second.transaction_id]) {
    expect(await alice.error(["approve", id])).toMatchObject({ code: "transaction_not_found" });
  }
  expect(await alice.json("pending")).toEqual({ pending: [], limit: 20, offset: 0, has_more: false });
  expect((await transfersOf(bob)).map(({ amount, memo, from }) => [amount, memo, from])).toEqual([
    ["12.5", "printer", bot],
    ["4", "small", bot],
  ]);

  // Payments approved on alice's machine count: 16.5 of 40 are spent, so two more payments of 8 fit.
  await ok(program, "send", "--to", toBob, "--amount", "8");
  await ok(program, "send", "--to", toBob, "--amount", "8");
  expect(await refused(program, "send", "--to", toBob, "--amount", "8")).toMatchObject({ reason: "daily_limit" });
  await alice.json("policy", "set", "bot", "--daily-limit", "100");
  expect(await alice.json("policy", "get", "bot")).toMatchObject({ ...POLICY, daily_limit_usdg: 100 });

  await alice.json("agents", "pause", "bot");
  expect(await refused(program, "send", "--to", toBob, "--amount", "1")).toMatchObject({ reason: "agent_paused" });
  expect(await alice.error(["send", "--client-signed", "--from", "bot", "--to", toBob, "--amount", "1"])).toMatchObject(
    {
      code: "policy_violation",
    },
  );
  await alice.json("agents", "resume", bot);
  await alice.json("send", "--from", "bot", "--to", toBob, "--amount", "1");
  await alice.json("send", "--client-signed", "--from", bot, "--to", toBob, "--amount", "2", "--memo", "client_signed");
  expect((await transfersOf(bob))[0]).toMatchObject({ amount: "2", memo: "client_signed", from: bot });
});

test("an agent receives, its owner makes money available and takes the money home; both sides' histories open", async ({
  payer,
  baseURL,
}, info) => {
  const [alice, bob] = [await payer("alice", "100"), await payer("bob", "50")];
  const [toAlice, bot] = [`@${alice.handle}`, `@${alice.handle}/bot`];
  const policy = ["--daily-limit", "5", "--per-transaction-limit", "5", "--threshold", "5", "--recipients", "*"];
  const { public_key } = await alice.json<Agent>("agents", "create", "bot", ...policy);
  await alice.json("kyc", "verify");

  await bob.json("send", "--to", bot, "--amount", "7.25", "--memo", "for the bot");
  await bob.json("send", "--client-signed", "--to", public_key, "--amount", "3");
  const program = keyHolder(await keyOf(alice, bot), baseURL, info);
  // A key alone can't spend what was received.
  expect(await refused(program, "send", "--to", `@${bob.handle}`, "--amount", "1")).toMatchObject({
    code: "insufficient_balance",
  });
  expect(await alice.json("make-available", "--agent", "bot", "--amount", "5")).toMatchObject({ notes: 1 });
  expect(await alice.json("make-available", "--agent", "bot")).toMatchObject({ notes: 2 });
  expect(await ok(program, "balances")).toEqual({ balances: [{ asset: "USDG", above_zero: true }] });
  await ok(program, "send", "--to", `@${bob.handle}`, "--amount", "1");
  const proven = { balances: [{ asset: "USDG", amount: "9.25" }], undecrypted_notes: 0 };
  expect(await alice.json("balances", "--agent", bot)).toEqual(proven);
  const { decryption_proof } = await alice.json<{ decryption_proof: string }>("proof", "--agent", "bot");
  const response = await fetch(`${baseURL}/v1/accounts/me/balances`, {
    method: "POST",
    headers: { authorization: `Bearer ${program.apiKey}` },
    body: JSON.stringify({ decryption_proof }),
  });
  expect(await response.json()).toEqual(proven);

  // Money returns to the owner regardless of the policy: by wallet, by key, and out to an address.
  await alice.json("send", "--client-signed", "--from", "bot", "--to", toAlice, "--amount", "6", "--memo", "home");
  await alice.json("send", "--from", "bot", "--to", toAlice, "--amount", "0.5", "--memo", "by key");
  await alice.json("withdraw", "--agent", "bot", "--to", bob.address, "--amount", "2");
  expect(await alice.json("balances", "--agent", bot)).toMatchObject({ balances: [{ amount: "0.75" }] });
  await alice.json("send", "--to", bot, "--amount", "10");
  expect(await alice.json("balances", "--proof")).toMatchObject({ balances: [{ amount: "96.5" }] });

  const shown = [
    ["@alice", bot, "10", null],
    [bot, bob.address, "2", null],
    [bot, "@alice", "0.5", "by key"],
    [bot, "@alice", "6", "home"],
    [bot, "@bob", "1", null],
    ["@bob", bot, "3", null],
    ["@bob", bot, "7.25", "for the bot"],
  ];
  const named = (text: string) => (text === public_key ? bot : text.replace(/^@(alice|bob)-[0-9a-f]+$/, "@$1"));
  for (const args of [[], ["--agent", "bot"]]) {
    const opened = await transfersOf(alice, ...args);
    expect(opened.map(({ from, to, amount, memo }) => [named(from), named(to), amount, memo])).toEqual(shown);
  }
  const directions = (await transfersOf(alice, "--agent", bot)).map(({ direction }) => direction);
  expect(directions).toEqual(["received", "sent", "sent", "sent", "sent", "received", "received"]);
});

test("an API key alone registers, funds and approves; an agent's key manages nothing", async ({
  payer,
  person,
  baseURL,
}, info) => {
  const [alice, bob] = [await payer("alice", "50"), await person("bob")];
  const account = keyHolder(alice.apiKey ?? "", baseURL, info);
  const bot = `@${alice.handle}/bot`;
  const to = `@${bob.handle}`;
  const policy = ["--daily-limit", "30", "--per-transaction-limit", "30", "--recipients", to];
  expect(await refused(account, "agents", "create", "bot", ...policy, "--time-zone", "Nowhere/City")).toMatchObject({
    code: "invalid_policy",
    param: expect.stringContaining("time_zone"),
  });
  const agent = await ok<Agent>(account, "agents", "create", "bot", ...policy);
  expect(await ok(account, "agents", "list")).toEqual({ agents: [agent], has_more: false });
  await ok(account, "send", "--to", bot, "--amount", "20");
  const held = await ok<Held>(account, "send", "--from", "bot", "--to", to, "--amount", "3", "--memo", "by key");
  expect(await ok(account, "approve", held.transaction_id)).toMatchObject({ status: "approved" });
  // The wallet can decrypt and approve too, although it did not create this agent's key.
  const other = await ok<Held>(account, "send", "--from", bot, "--to", to, "--amount", "4");
  await alice.json("approve", other.transaction_id);
  expect((await transfersOf(bob)).map(({ amount, memo }) => [amount, memo])).toEqual([
    ["4", null],
    ["3", "by key"],
  ]);

  const program = keyHolder(await keyOf(alice, "bot"), baseURL, info);
  expect(await ok(program, "policy", "get", "bot")).toMatchObject({ daily_limit_usdg: 30, hitl_threshold_usdg: 0 });
  const mine = await ok<Held>(program, "send", "--to", to, "--amount", "1");
  expect(await ok(program, "pending")).toEqual({ pending: [mine], limit: 20, offset: 0, has_more: false });
  for (const command of [
    ["approve", mine.transaction_id],
    ["reject", mine.transaction_id],
    ["policy", "set", "bot", "--daily-limit", "1000"],
    ["agents", "pause", "bot"],
    ["agents", "list"],
    ["agents", "create", "more"],
  ]) {
    expect(await refused(program, ...command), command.join(" ")).toMatchObject({ code: "not_agent_owner" });
  }
  expect((await ok<{ pending: Held[] }>(account, "pending")).pending).toEqual([mine]);
});
