import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { Receiver } from "@/e2e/receiver";
import { type Person, uniqueName, type World } from "./world";

/** Runs a command of the installed package with all that it needs. Each is called twice. */
type Case = (world: World) => Promise<unknown>;

const PERIOD = ["--from", "2020-01-01", "--to", "2100-01-01", "--time-zone", "UTC"];
const DEAD = `0x${"0".repeat(36)}dead`;

/** Creates a webhook at a receiver that takes everything. */
async function withWebhook(world: World, use: (id: string, receiver: Receiver) => Promise<unknown>): Promise<void> {
  const receiver = await Receiver.open();
  const { client } = world.alice;
  const { webhook_id: id } = await client.webhooks.create({ url: receiver.url(), events: ["transfer.confirmed"] });
  try {
    await use(id, receiver);
  } finally {
    await client.webhooks.delete(id).catch(() => {});
    await receiver.close();
  }
}

/** Returns an event that was delivered to this receiver. */
async function delivered(world: World, receiver: Receiver): Promise<string> {
  await world.paid(world.alice, world.bob);
  for (;;) {
    const [first] = receiver.received;
    if (first) return first.event.event_id;
    await sleep(100);
  }
}

/** Creates a schedule of `alice` that pays tomorrow. */
async function scheduled({ alice, bob }: World): Promise<string> {
  const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const rule = { frequency: "daily", start, time_zone: "UTC" } as const;
  const { schedule_id } = await alice.client.schedules.create({ rule, payments: [{ to: bob.handle, amount: "0.5" }] });
  return schedule_id;
}

async function requested({ bob }: World): Promise<{ id: string; link: string }> {
  const { payment_request_id: id, link } = await bob.client.paymentRequests.create({ amount: "0.5", note: "lunch" });
  return { id, link };
}

/** Creates a payout of `alice` that is not waited for. */
async function begun({ alice, bob }: World): Promise<string> {
  const rows = Array.from({ length: 3 }, (_, at) => ({ to: bob.handle, amount: "0.01", reference: `row-${at}` }));
  return (await alice.client.payouts.create({ rows }, { wait: false })).payout_id;
}

async function shared({ alice, bob }: World): Promise<{ id: string; link: string }> {
  const input = {
    from: "2020-01-01",
    to: "2100-01-01",
    timeZone: "UTC",
    label: "Accountant",
    counterparty: bob.handle,
  };
  const { shared_view_id: id, url: link } = await alice.client.sharedViews.create(input);
  return { id, link };
}

const payment = ({ bob }: World, ...more: string[]) => ["send", "--to", bob.handle, "--amount", "0.5", ...more];

/** A newcomer whose wallet can pay for transactions of its own. */
async function withGas(world: World): Promise<Person> {
  const person = await world.newcomer({ money: "10" });
  await person.client.testHelpers.faucet({ asset: "ETH", amount: "0.01" });
  return person;
}

/** Every command, by its words. */
export const COMMAND_CASES: Readonly<Record<string, Case>> = {
  "wallet new": async (world) => {
    const stranger = world.stranger();
    const { address } = await stranger.run("wallet", "new");
    expect(await stranger.run("wallet", "address")).toMatchObject({ address });
  },
  "wallet address": ({ alice }) => alice.run("wallet", "address"),
  "profiles add": (world) => {
    const file = world.file("a.key", world.alice.walletKey ?? "");
    return world.stranger().run("profiles", "add", "me", "--wallet-key-file", file);
  },
  "profiles list": (world) => world.stranger().run("profiles", "list"),
  "profiles use": (world) => withProfile(world, (person) => person.run("profiles", "use", "me")),
  "profiles remove": (world) => withProfile(world, (person) => person.run("profiles", "remove", "me")),
  signup: async (world) => {
    const person = await world.newcomer({ enroll: false });
    expect(await person.run("signup", "--handle", person.handle)).toMatchObject({ handle: `@${person.handle}` });
  },
  "kyc verify": async (world) => (await world.newcomer()).run("kyc", "verify"),
  faucet: ({ alice }) => alice.run("faucet", "--amount", "1"),
  whoami: ({ alice }) => alice.run("whoami"),
  "make-available": async ({ alice }) => {
    await alice.client.testHelpers.faucet({ amount: "2" });
    expect(await alice.run("make-available")).toMatchObject({ tx_hashes: [expect.any(String)] });
  },
  send: async (world) => {
    const { alice, bot } = world;
    await alice.run(...payment(world, "--client-signed"));
    await alice.with({ apiKey: undefined }).run(...payment(world, "--client-signed"));
    await alice.run(...payment(world, "--client-signed", "--from", "bot"));
    await alice.run("send", "--client-signed", "--to", bot.handle, "--amount", "1");
    await alice.run(...payment(world, "--client-signed", "--public"));
    await alice.run(...payment(world));
    await bot.run(...payment(world));
  },
  refund: async (world) => {
    const { alice, bob } = world;
    const received = await world.paid(bob, alice, "2");
    await alice.run("refund", received, "--amount", "0.5", "--client-signed");
    expect(await alice.run("refund", received, "--client-signed")).toMatchObject({
      refund_of: received,
      checked: true,
    });
    await alice.run("refund", await world.paid(bob, alice));
  },
  withdraw: async ({ alice }) => {
    await alice.run("withdraw", "--to", DEAD, "--amount", "1");
    await alice.run("withdraw", "--to", DEAD, "--amount", "1", "--agent", "bot");
  },
  pay: async (world) => {
    const { alice, bot, bob } = world;
    // Loaded here, so that who only reads the names of the cases loads no server.
    const { shopOf } = await import("@/e2e/cli/sellers");
    const shop = await shopOf({ address: bob.address, client: async () => bob.client });
    try {
      const paid = { paid: true, status: 200, body: "the report" };
      expect(await alice.run("pay", `${shop.url}/report`, "--max", "0.05")).toMatchObject(paid);
      expect(await bot.run("pay", `${shop.url}/report`, "--max", "0.05", "--again")).toMatchObject(paid);
    } finally {
      await shop.close();
    }
  },
  "keys create": async ({ alice }) => {
    await alice.run("keys", "create", "--label", "x");
    await alice.run("keys", "create", "--label", "x", "--agent", "bot");
  },
  "keys list": ({ alice }) => alice.run("keys", "list"),
  "keys revoke": async ({ alice }) =>
    alice.run("keys", "revoke", (await alice.client.keys.create({ label: "x" })).key_id),
  "viewing-key export": (world) => world.alice.run("viewing-key", "export", "--out", world.path("a.hcvk")),
  "agents create": ({ alice }) => alice.run("agents", "create", uniqueName("a"), "--daily-limit", "5"),
  "agents list": ({ alice }) => alice.run("agents", "list"),
  "agents refunds": async ({ alice }) => {
    await alice.run("agents", "refunds", "bot", "owner");
    await alice.run("agents", "refunds", "bot", "available");
  },
  "agents make-refunds-available": async (world) => {
    const { alice, bob, bot } = world;
    const paid = await world.paid(bot, bob, "2");
    await bob.client.transfers.refund(paid);
    await alice.run("agents", "make-refunds-available");
  },
  "agents pause": async (world) => {
    await world.alice.run("agents", "pause", "bot");
    await world.alice.client.agents.resume("bot");
  },
  "agents resume": async ({ alice }) => {
    await alice.client.agents.pause("bot");
    await alice.run("agents", "resume", "bot");
  },
  "agents end": async ({ alice }) => {
    const name = uniqueName("a");
    await alice.client.agents.create({ name, spendPolicy: { daily_limit_usdg: 5 } });
    await alice.run("agents", "end", name);
  },
  "agents replace-key": ({ alice }) => alice.run("agents", "replace-key", "bot"),
  "policy get": ({ alice }) => alice.run("policy", "get", "bot"),
  "policy set": async (world) => {
    await world.alice.run("policy", "set", "bot", "--daily-limit", "4000", "--monthly-limit", "90000");
    await world.bot.run(...payment(world));
    await world.alice.run("policy", "set", "bot", "--daily-limit", "5000", "--monthly-limit", "none");
  },
  guard: ({ alice }) => alice.run("guard"),
  "guard on": async (world) => (await world.newcomer({ money: "5" })).run("guard", "on"),
  "guard off": async (world) => {
    const person = await world.newcomer({ money: "5" });
    await person.client.security.setGuard(true);
    await person.run("guard", "off");
  },
  limits: ({ alice }) => alice.run("limits"),
  "limits set": async (world) => {
    const person = await world.newcomer({ money: "5" });
    const most = ["--daily-limit", "3", "--per-transaction-limit", "2", "--threshold", "2"];
    await person.run("limits", "set", ...most, "--recipients", "*");
    await person.run(...payment(world));
    await person.run(...payment(world, "--client-signed"));
  },
  "limits remove": async (world) => {
    const person = await world.newcomer({ money: "5" });
    await person.client.limits.set({ daily_limit_usdg: 3 });
    await person.run("limits", "remove");
    await person.run(...payment(world, "--client-signed"));
  },
  pending: async (world) => {
    const id = await world.held();
    const { pending } = await world.alice.run<{ pending: object[] }>("pending");
    expect(pending).toContainEqual(expect.objectContaining({ transaction_id: id, amount: "6" }));
  },
  approve: async (world) => {
    await world.alice.run("approve", await world.held());
    await world.alice.with({ walletKey: undefined }).run("approve", await world.held());
  },
  reject: async (world) => world.alice.run("reject", await world.held()),
  transfers: async (world) => {
    await world.paid(world.alice, world.bob);
    const { transfers } = await world.alice.run<{ transfers: { amount: string }[] }>("transfers");
    expect(transfers[0]?.amount).toMatch(/^\d/);
    await world.alice.print("transfers", "--all", "--csv");
  },
  "transfers get": async (world) => {
    const id = await world.paid(world.alice, world.bob, "1.25");
    expect(await world.alice.run("transfers", "get", id)).toMatchObject({ amount: "1.25" });
  },
  payout: (world) => {
    const { alice, bob } = world;
    const wages = world.file("wages.csv", `to,amount,memo\n${bob.handle},0.25,one\n${bob.handle},0.5,two\n`);
    return alice.run("payout", wages, "--yes");
  },
  payouts: ({ alice }) => alice.run("payouts"),
  "payouts show": async (world) => world.alice.run("payouts", "show", await begun(world)),
  "payouts rows": async (world) => world.alice.run("payouts", "rows", await begun(world)),
  "payouts resume": async (world) => world.alice.run("payouts", "resume", await begun(world)),
  "payouts cancel": async (world) => world.alice.run("payouts", "cancel", await begun(world)),
  "request create": async ({ alice }) => {
    await alice.run("request", "create", "--amount", "2", "--note", "lunch");
    await alice.run("request", "create", "--line", "2x10.50:Chair", "--due", "2030-12-31");
  },
  "request list": async (world) => {
    await requested(world);
    const listed = await world.bob.run<{ payment_requests: object[] }>("request", "list");
    expect(listed.payment_requests[0]).toMatchObject({ details: { amount: "0.5" } });
  },
  "request show": async (world) => world.bob.run("request", "show", (await requested(world)).id),
  "request cancel": async (world) => world.bob.run("request", "cancel", (await requested(world)).id),
  "request pay": async (world) => {
    const { alice } = world;
    const { link } = await requested(world);
    await alice.run("request", "pay", link);
    await alice.run("request", "pay", link, "--yes", "--most", "0.5");
    await alice.with({ apiKey: undefined }).run("request", "pay", (await requested(world)).link, "--yes");
    await alice.run("request", "pay", (await requested(world)).link, "--yes", "--from", "bot");
  },
  "request check": async (world) => {
    const { id, link } = await requested(world);
    await world.alice.client.paymentRequests.pay(link);
    await world.bob.run("request", "check", id);
    expect(await world.bob.run("request", "show", id)).toMatchObject({ status: "paid" });
  },
  "schedules create": (world) => {
    const due = ["--every", "monthly", "--start", "2090-01-31", "--weekends", "before"];
    return world.alice.run("schedules", "create", ...due, "--to", world.bob.handle, "--amount", "25");
  },
  "schedules list": ({ alice }) => alice.run("schedules", "list"),
  "schedules show": async (world) => {
    expect(await world.alice.run("schedules", "show", await scheduled(world))).toMatchObject({
      terms: { parts: [{ payments: [{ amount: "0.5" }] }] },
    });
  },
  "schedules pause": async (world) => world.alice.run("schedules", "pause", await scheduled(world)),
  "schedules resume": async (world) => {
    const id = await scheduled(world);
    await world.alice.client.schedules.pause(id);
    await world.alice.run("schedules", "resume", id);
  },
  "schedules skip": async (world) => world.alice.run("schedules", "skip", await scheduled(world)),
  "schedules end": async (world) => world.alice.run("schedules", "end", await scheduled(world)),
  "schedules run": async ({ alice, bob }) => {
    // One is paid by the wallet, one by the key.
    const minute = Math.ceil((Date.now() + 15_000) / 60_000) * 60_000;
    const at = new Date(minute).toISOString();
    const rule = { frequency: "once", start: at.slice(0, 10), time: at.slice(11, 16), time_zone: "UTC" } as const;
    const payments = [{ to: bob.handle, amount: "0.5" }];
    const [first, second] = [
      await alice.client.schedules.create({ rule, payments }),
      await alice.client.schedules.create({ rule, payments }),
    ];
    const dueRun = async (id: string) => {
      for (;;) {
        const [run] = (await alice.client.schedules.get(id)).due_runs;
        if (run?.status === "due") return run.run_id;
        await sleep(500);
      }
    };
    const byKey = alice.with({ walletKey: undefined });
    const run = await dueRun(first.schedule_id);
    await byKey.run("schedules", "run", run, "--schedule", first.schedule_id);
    await dueRun(second.schedule_id);
    const { runs } = await alice.run("schedules", "run", "--once", "--schedule", second.schedule_id);
    expect(runs).toEqual([expect.objectContaining({ status: "paid", error: null })]);
  },
  receipt: async (world) => {
    await world.alice.run("receipt", await world.paid(world.alice, world.bob));
    await world.alice.run("receipt", await world.paid(world.bob, world.alice));
  },
  "verify-receipt": async (world) => {
    const { receipt } = await world.alice.client.receipts.create(await world.paid(world.alice, world.bob, "1.5"));
    expect(await world.stranger().run("verify-receipt", receipt)).toMatchObject({ amount: "1.5" });
  },
  "proof-of-funds": async ({ alice }) => {
    const asked = ["--at-least", "5", "--for", "Northbank", "--expires", "7d"];
    await alice.run("proof-of-funds", ...asked);
    expect(await alice.run("proof-of-funds", ...asked, "--yes")).toMatchObject({
      proof_of_funds: expect.stringMatching(/^hcf1_/),
    });
  },
  "verify-proof-of-funds": async (world) => {
    const created = await world.alice.client.proofsOfFunds.create({ atLeast: "5", for: "Bank" });
    await world.stranger().run("verify-proof-of-funds", created.proof_of_funds, "--for", "Bank");
  },
  statement: async (world) => {
    await world.paid(world.alice, world.bob);
    expect(await world.alice.run("statement", ...PERIOD, "--with-agents")).toMatchObject({ from: expect.any(String) });
    for (const format of ["csv", "ofx", "json", "pdf"]) {
      const file = world.path(`statement.${format}`);
      await world.alice.print("statement", ...PERIOD, "--format", format, "--out", file);
      expect(readFileSync(file).length).toBeGreaterThan(100);
    }
  },
  "views create": async (world) => {
    await world.paid(world.alice, world.bob);
    const only = ["--counterparty", world.bob.handle, "--label", "Accountant", "--memos"];
    await world.alice.run("views", "create", ...PERIOD, ...only);
  },
  "views list": ({ alice }) => alice.run("views", "list"),
  "views delete": async (world) => world.alice.run("views", "delete", (await shared(world)).id),
  "views verify": async (world) => {
    await world.paid(world.alice, world.bob);
    await world.stranger().run("views", "verify", (await shared(world)).link);
  },
  sync: async ({ alice }) => {
    await alice.run("sync");
    await alice.run("sync", "--agent", "bot");
  },
  proof: async ({ alice }) => {
    await alice.run("proof");
    await alice.run("proof", "--agent", "bot");
  },
  balances: async ({ alice }) => {
    const { balances } = await alice.run("balances", "--proof");
    expect(balances).toContainEqual(expect.objectContaining({ asset: "USDG", amount: expect.any(String) }));
  },
  "webhooks create": async ({ alice }) => {
    const created = await alice.run<{ webhook_id: string }>(
      "webhooks",
      "create",
      "http://127.0.0.1:9/hook",
      "--events",
      "transfer.confirmed",
    );
    await alice.client.webhooks.delete(created.webhook_id);
  },
  "webhooks list": ({ alice }) => alice.run("webhooks", "list"),
  "webhooks update": (world) =>
    withWebhook(world, (id) => world.alice.run("webhooks", "update", id, "--events", "transfer.failed")),
  "webhooks delete": (world) => withWebhook(world, (id) => world.alice.run("webhooks", "delete", id)),
  "webhooks rotate-secret": (world) => withWebhook(world, (id) => world.alice.run("webhooks", "rotate-secret", id)),
  "webhooks test": (world) => withWebhook(world, (id) => world.alice.run("webhooks", "test", id)),
  "webhooks replay": (world) =>
    withWebhook(world, async (id, receiver) =>
      world.alice.run("webhooks", "replay", id, await delivered(world, receiver)),
    ),
  "webhooks redeliver": (world) =>
    withWebhook(world, (id) => world.alice.run("webhooks", "redeliver", id, "--since", new Date().toISOString())),
  "webhooks deliveries": (world) =>
    withWebhook(world, async (id, receiver) => {
      await delivered(world, receiver);
      await world.alice.run("webhooks", "deliveries", id);
    }),
  events: ({ alice }) => alice.run("events"),
  "audit-log": ({ alice }) => alice.run("audit-log"),
  logs: ({ alice }) => alice.run("logs"),
  trigger: ({ alice }) => alice.run("trigger", "transfer.confirmed"),
  "test-helpers advance-clock": ({ alice }) => alice.run("test-helpers", "advance-clock", "--by", "1s"),
  "test-helpers expire": async (world) => world.alice.run("test-helpers", "expire", await world.held()),
  "test-helpers failing-recipient": ({ alice }) => alice.run("test-helpers", "failing-recipient"),
  "rotate-account-secret": async (world) => {
    const person = await world.newcomer({ money: "5" });
    await person.client.agents.create({ name: "bot", spendPolicy: { daily_limit_usdg: 5 } });
    await person.run("rotate-account-secret");
    // It revoked the API key.
    await person.with({ apiKey: undefined }).run(...payment(world, "--client-signed"));
  },
  "renew-payment-key": async (world) => (await world.newcomer({ money: "5" })).run("renew-payment-key"),
  "stop-payment-key": async (world) => {
    const person = await withGas(world);
    await person.run("stop-payment-key", "--rpc", world.rpc, "--ledger", world.ledger);
  },
  abandon: async ({ alice }) => {
    // What makes a balance unreadable is an attack: scripts/compromise.integration.test.ts gives one up.
    expect((await alice.refused("abandon")).message).toMatch(/can be decrypted/);
  },
  recover: async (world) => {
    const person = await withGas(world);
    const found = await person.run("recover", "--rpc", world.rpc, "--ledger", world.ledger, "--to", DEAD);
    expect(found.steps).toContainEqual(expect.objectContaining({ asset: "USDG", step: "release" }));
  },
  completion: (world) => world.stranger().print("completion", "bash"),
};

async function withProfile(world: World, use: (person: Person) => Promise<unknown>): Promise<void> {
  const person = world.stranger();
  await person.run("profiles", "add", "me", "--wallet-key-file", world.file("a.key", world.alice.walletKey ?? ""));
  await use(person);
}

/** Commands that run until they are stopped: the tests of the command line, which run as installed too, start them. */
export const STARTED_ELSEWHERE: Readonly<Record<string, `e2e/cli/${string}`>> = {
  facilitator: "e2e/cli/sellers.ts",
  listen: "e2e/cli/webhooks.spec.ts",
  "logs tail": "e2e/cli/logs.spec.ts",
  mcp: "e2e/cli/mcp.spec.ts",
  proxy: "e2e/cli/proxy.spec.ts",
};
