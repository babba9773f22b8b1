import type { TestInfo } from "@playwright/test";
import { awayFromMidnight } from "../away-from-midnight";
import { type Caller, halcyon, ok } from "../halcyon";
import { expect, refusal, test } from "./fixtures";

interface Held {
  transaction_id: string;
  status: string;
}

/** A program that has only an API key. */
function keyHolder(apiKey: string, url: string | undefined, info: TestInfo): Caller {
  return { url: url ?? "", apiKey, env: { HALCYON_CONFIG_DIR: info.outputPath("config") } };
}

async function refused(caller: Caller, ...args: string[]): Promise<{ code: string; reason?: string }> {
  return refusal(await halcyon(caller, ...args), args.join(" "));
}

test("an owner turns Guard on, gives an agent a policy, watches it pay, be held and be refused, and ends it", async ({
  payer,
  person,
  baseURL,
}, info) => {
  await awayFromMidnight();
  const [alice, bob, carol] = [await payer("alice", "100"), await person("bob"), await person("carol")];
  const [toBob, bot] = [`@${bob.handle}`, `@${alice.handle}/bot`];
  const account = keyHolder(alice.apiKey ?? "", baseURL, info);
  expect(await alice.json("guard")).toMatchObject({ guarded: false, limited: false });
  expect(await alice.json("guard", "on")).toMatchObject({ guarded: true });
  expect(await alice.json("guard")).toMatchObject({ guarded: true, limited: false });

  const policy = ["--daily-limit", "20", "--per-transaction-limit", "10", "--threshold", "5", "--recipients", toBob];
  await alice.json("agents", "create", "bot", ...policy);
  await alice.json("send", "--client-signed", "--to", bot, "--amount", "30");
  // What guard forbids the account's own key: everything that could loosen a policy, and moving money in either
  // direction.
  for (const command of [
    ["policy", "set", "bot", "--daily-limit", "1000"],
    ["policy", "set", "bot", "--daily-limit", "1"],
    ["send", "--to", bot, "--amount", "1"],
    ["send", "--from", "bot", "--to", `@${alice.handle}`, "--amount", "1"],
  ]) {
    expect(await refused(account, ...command), command.join(" ")).toMatchObject({ code: "key_forbidden" });
  }
  await ok(account, "agents", "pause", "bot");
  expect(await refused(account, "agents", "resume", "bot")).toMatchObject({ code: "key_forbidden" });
  await alice.json("agents", "resume", "bot");

  const { api_key } = await alice.json<{ api_key: string }>("keys", "create", "--label", "bot", "--agent", "bot");
  const program = keyHolder(api_key, baseURL, info);
  const send = (amount: string, to = toBob) => ["send", "--to", to, "--amount", amount];
  expect(await ok(program, ...send("4"))).toMatchObject({ status: "confirmed" });
  const held = await ok<Held>(program, ...send("6"));
  const late = await ok<Held>(program, ...send("5.5"));
  expect([held.status, late.status]).toEqual(["pending_approval", "pending_approval"]);
  expect(await refused(program, ...send("10.000001"))).toMatchObject({ reason: "per_transaction_limit" });
  expect(await refused(program, ...send("1", `@${carol.handle}`))).toMatchObject({ reason: "recipient_not_allowed" });
  expect(await alice.json("approve", held.transaction_id)).toMatchObject({ status: "approved" });
  await alice.json("policy", "set", "bot", "--daily-limit", "12");
  expect(await refused(program, ...send("3"))).toMatchObject({ reason: "daily_limit" });
  await ok(program, ...send("2"));

  await alice.json("agents", "replace-key", "bot");
  expect(await refused(program, ...send("1"))).toMatchObject({ reason: "daily_limit" });
  await alice.json("policy", "set", "bot", "--daily-limit", "13");
  await ok(program, ...send("1"));

  expect(await alice.json("agents", "end", "bot")).toMatchObject({ handle: bot, status: "ended" });
  expect(await alice.json("agents", "list")).toMatchObject({ agents: [{ handle: bot, status: "ended" }] });
  expect(await refused(program, ...send("1"))).toMatchObject({ code: "unauthorized" });
  // What waited for approval ended with the agent.
  expect(await alice.error(["approve", late.transaction_id])).toMatchObject({ code: "transaction_not_found" });
  // 30 minus 4, 6, 2 and 1.
  await alice.json("send", "--client-signed", "--from", "bot", "--to", `@${alice.handle}`, "--amount", "17");
  expect(await (await alice.client()).balances.decrypt()).toMatchObject({ available: "87" });
  expect(await alice.json("guard", "off")).toMatchObject({ guarded: false });
});

test("limits of an account's own keys: within them a key pays, beyond them the wallet does, and they end with its signature", async ({
  payer,
  person,
  baseURL,
}, info) => {
  const [alice, bob] = [await payer("alice", "100"), await person("bob")];
  const account = keyHolder(alice.apiKey ?? "", baseURL, info);
  const send = (amount: string) => ["send", "--to", `@${bob.handle}`, "--amount", amount];
  await ok(account, ...send("30"));
  const limits = ["--daily-limit", "20", "--per-transaction-limit", "10", "--threshold", "5"];
  const set = await alice.json("limits", "set", ...limits, "--recipients", `@${bob.handle}`);
  expect(set).toMatchObject({ daily_limit_usdg: 20, hitl_threshold_usdg: 5, allowed_recipients: [`@${bob.handle}`] });
  expect(await alice.json("limits")).toMatchObject({ daily_limit_usdg: 20 });
  expect(await alice.json("guard")).toMatchObject({ guarded: true, limited: true });
  expect((await alice.error(["guard", "off"])).message).toMatch(/limits/i);

  await ok(account, ...send("5"));
  expect(await refused(account, ...send("10.000001"))).toMatchObject({ reason: "per_transaction_limit" });
  const held = await ok<Held>(account, ...send("6"));
  expect(held).toMatchObject({ status: "pending_approval", agent: `@${alice.handle}` });
  expect(await refused(account, "approve", held.transaction_id)).toMatchObject({ code: "key_forbidden" });
  expect(await alice.json("approve", held.transaction_id)).toMatchObject({ status: "approved" });

  await alice.json("limits", "remove");
  expect(await alice.json("limits")).toBeNull();
  await ok(account, ...send("20"));
  expect(await (await alice.client()).balances.decrypt()).toMatchObject({ available: "39" });
  await alice.json("guard", "off");
});
