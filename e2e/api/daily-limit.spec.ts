import { rmSync } from "node:fs";
import path from "node:path";
import { createPublicClient, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { Halcyon } from "@/sdk/client";
import { tables } from "../leaks/places";
import { amountNeedles, Scanner } from "../leaks/scan";
import { agentKey } from "./agent-fixtures";
import {
  decimal,
  expectWithinLimit,
  folder,
  LIMIT,
  newAmount,
  outcomeOf,
  type Paid,
  Process,
  SEED,
  type Sent,
  spentOn,
  sum,
  zoneBeforeMidnight,
} from "./daily-limit-fixtures";
import { expect, productURL, test } from "./fixtures";
import { withKey } from "./http";

/*
 * The daily limit under load (docs/contract-notes.md "Agents and policy"). Sends 90 payments of one agent, most of them
 * at once, through two processes whose clocks and lives this test controls. Whatever the amounts:
 *
 * 1. The executed and in-flight payments of one day, in the policy's time zone, never exceed the limit.
 * 2. What fails on chain is given back completely: the limit can then be used up to the last unit, and not one more.
 * 3. A payment is refused only if it does not fit into what is left.
 * 4. A process that is killed loses and repeats nothing, and the next one knows what was spent.
 * 5. A new day begins at the zone's midnight by the clock of the paying process, and the old day stays used up.
 * 6. An owner who acts directly on chain and then syncs does not reset what the agent has spent.
 * 7. No column of the database contains the spent or remaining total.
 *
 * The checks use the owner's own copies of the payments, decrypted with the owner's keys, and what the chain alone
 * shows to be left. The test runs on the live network's local chain, where no other test waits for transactions held
 * here.
 */

const rpcUrl = process.env.RPC_URL_4663 ?? "";
const processes: Process[] = [];

test.afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  rmSync(folder, { recursive: true, force: true });
});

test("executed and in flight never pass the daily limit: reverts, killed processes and midnights in between", async () => {
  test.setTimeout(900_000);
  test.info().annotations.push({ type: "DAILY_LIMIT_SEED", description: String(SEED) });
  const { zone, hours, toMidnight } = zoneBeforeMidnight(new Date());
  const dayOf = (time: number) => Math.floor((time + hours * 3_600_000) / 86_400_000);
  const today = dayOf(Date.now());
  // Over an hour ahead the chain counts as idle; before that a payment names the day of the newest block.
  const tomorrow = Math.max(toMidnight + 10 * 60_000, 65 * 60_000);

  // An owner with an agent, and a recipient.
  const suffix = Date.now().toString(36);
  const person = () =>
    new Halcyon({
      ...{ url: productURL, network: "live", walletKey: generatePrivateKey() },
      configDir: path.join(folder, "config"),
    });
  const [owner, payee] = [person(), person()];
  const to = `@limit-b-${suffix}`;
  const signUp = async () => {
    await owner.account.create({ handle: `limit-a-${suffix}` });
    await owner.account.verifyIdentity();
    await owner.testHelpers.faucet({ amount: "100000" });
    await owner.balances.makeAvailable();
  };
  await Promise.all([signUp(), payee.account.create({ handle: to })]);
  // Gas for the wallet's own transactions.
  await owner.testHelpers.faucet({ asset: "ETH", amount: "0.1" });
  const ownerKey = (await owner.keys.create({ label: "owner" })).api_key;
  const asOwner = withKey(productURL, ownerKey);
  const policy = {
    ...{ daily_limit_usdg: 30_000, per_transaction_limit_usdg: 30_000, hitl_threshold_usdg: 30_000 },
    ...{ allowed_recipients: ["*"], assets: ["USDG"], active_hours: "00:00-24:00", time_zone: zone },
  };
  const created = await asOwner("POST", "/v1/accounts/me/agents", { name: "bot", spend_policy: policy });
  expect(created.status, created.text).toBe(201);
  const bot = String(created.json.handle);
  const keys = (await Promise.all([agentKey(owner, bot), agentKey(owner, bot)])).map(({ api_key }) => api_key);
  const [a, b] = [new Process("a", keys), new Process("b", keys)];
  processes.push(a, b);
  await Promise.all([a.set({ ahead: 0 }), b.set({ ahead: 0 })]);
  await Promise.all([a.start(), b.start(), owner.transfers.create({ clientSigned: true, to: bot, amount: "95000" })]);

  const sent: Sent[] = [];
  let phase = 0;
  /** Sends this many payments at once, alternating between two processes, whose clocks stand still meanwhile. */
  const fire = async (
    count: number,
    days: [number, number],
    answered = (_: number) => {},
    [first, second] = [a, b],
  ) => {
    let responses = 0;
    const one = async (n: number) => {
      const [process, day] = n % 2 === 0 ? [first, days[0]] : [second, days[1]];
      const units = newAmount();
      const response = await process.pay(to, units);
      answered(++responses);
      sent.push({ units, day, phase, outcome: outcomeOf(response) });
    };
    await Promise.all(Array.from({ length: count }, (_, n) => one(n)));
  };
  /** Waits until none of the agent's payments is pending, and returns them decrypted with the owner's keys. */
  const settle = async (): Promise<Paid[]> => {
    const pending = async () => (await asOwner("GET", "/v1/transfers?status=pending&limit=1")).json.transfers;
    await expect.poll(pending, { timeout: 240_000 }).toEqual([]);
    const paid: Paid[] = [];
    for (let offset = 0; ; offset += 100) {
      const { transfers } = await owner.transfers.listDecrypted({ agent: bot, limit: 100, offset });
      for (const { direction, amount, status, created_at, tx_hash } of transfers) {
        if (direction !== "sent") continue;
        const units = BigInt(
          ((whole, fraction = "") => whole + fraction.padEnd(6, "0"))(
            ...((amount ?? "").split(".") as [string, string?]),
          ),
        );
        paid.push({ units, status, day: dayOf(Date.parse(created_at)) - today, txHash: tx_hash });
      }
      if (transfers.length < 100) return paid;
    }
  };
  /** Pays all that is left of a day, then tries one unit more. */
  const exhaust = async (process: Process, paid: Paid[], day: number) => {
    const left = LIMIT - spentOn(paid, day);
    const over = await process.pay(to, left + 1n);
    expect(over?.json.error).toMatchObject({ code: "policy_violation", reason: "daily_limit" });
    if (left > 0n) {
      const exact = await process.pay(to, left);
      expect(exact?.status, exact?.text).toBe(201);
      sent.push({ units: left, day, phase, outcome: "accepted" });
    }
    const more = await process.pay(to, 1n);
    expect(more?.json.error).toMatchObject({ code: "policy_violation", reason: "daily_limit" });
    return left;
  };

  // Phase 0: normal payments.
  await fire(3, [0, 0]);
  const morning = await settle();
  const totals = [spentOn(morning, 0)];

  // Phase 1: every payment in flight reverts, because the owner empties the agent's available balance on chain before
  // they arrive. The clocks are two minutes ahead so that the worker does not send the payments in the meantime.
  phase = 1;
  await Promise.all([a, b].map((process) => process.set({ ahead: 120_000, hold: true })));
  await fire(20, [0, 0]);
  const inFlight = sent.filter((each) => each.phase === 1 && each.outcome === "accepted").map(({ units }) => units);
  expect(inFlight.length).toBeGreaterThan(3);
  totals.push(sum(inFlight), spentOn(morning, 0) + sum(inFlight));
  const { ledger } = (await (await fetch(`${productURL}/api/network?network=live`)).json()) as { ledger: string };
  const chain = { rpc: rpcUrl, ledger };
  await owner.recovery.run({ ...chain, to: privateKeyToAddress(generatePrivateKey()) });
  await Promise.all([a, b].map((process) => process.set({ ahead: 0 })));
  const reverted = (await settle()).filter(({ units }) => inFlight.includes(units));
  expect(reverted.map(({ status }) => status)).toEqual(inFlight.map(() => "failed"));
  const rpc = createPublicClient({ transport: http(rpcUrl) });
  const receiptOf = (hash: Hex) =>
    rpc.getTransactionReceipt({ hash }).then(
      ({ status }) => status,
      () => "none",
    );
  await expect
    .poll(() => Promise.all(reverted.map(({ txHash }) => receiptOf(txHash))))
    .toEqual(inFlight.map(() => "reverted"));

  // Phase 2: the owner syncs and funds the agent again. One process is killed while it works.
  phase = 2;
  await owner.testHelpers.faucet({ amount: "100000" });
  await owner.balances.makeAvailable();
  await owner.transfers.create({ clientSigned: true, to: bot, amount: "90000" });
  let killed: Promise<void> | undefined;
  await fire(20, [0, 0], (responses) => {
    if (responses === 4) killed = b.kill();
  });
  await killed;
  expect(sent.filter(({ outcome }) => outcome === "unknown").length).toBeGreaterThan(0);
  const restarted = b.start();
  const afternoon = await settle();
  totals.push(spentOn(afternoon, 0), await exhaust(a, afternoon, 0));
  await restarted;

  // Phase 3: midnight passes for one process, then for the other, then for both.
  phase = 3;
  for (const days of [
    [1, 0],
    [0, 1],
    [1, 1],
  ] as [number, number][]) {
    await Promise.all([a, b].map((process, n) => process.set({ ahead: days[n] === 1 ? tomorrow : 0 })));
    await fire(14, days);
  }
  const night = await settle();
  totals.push(spentOn(night, 1), await exhaust(b, night, 1));

  // Phase 4: both processes die. A new one knows what was spent on either day.
  phase = 4;
  await Promise.all([a.kill(), b.kill()]);
  await a.set({ ahead: 0 });
  await a.start();
  await fire(3, [0, 0], undefined, [a, a]);
  await a.set({ ahead: tomorrow });
  await fire(2, [1, 1], undefined, [a, a]);
  const paid = await settle();

  expectWithinLimit(sent, paid, inFlight, phase);

  // What the chain alone shows to be left: the second funding, minus what followed.
  const { agents = [] } = await owner.recovery.run(chain);
  const left = 90_000_000_000n - (2n * LIMIT - spentOn(morning, 0));
  expect(agents[0]?.balances).toContainEqual({ asset: "USDG", amount: decimal(left).replace(/\.?0+$/, "") });

  // Amounts below 2^32 units could be found by accident.
  const needles = totals
    .filter((units) => units >= 2n ** 32n)
    .flatMap((units, n) => amountNeedles(`total ${n}`, decimal(units), 6));
  expect(needles.length).toBeGreaterThan(40);
  const scanner = new Scanner(needles);
  const found = [];
  for await (const { name, content } of tables(process.env.MIGRATION_DATABASE_URL ?? ""))
    found.push(...scanner.scan(name, content));
  expect(found).toEqual([]);
});
