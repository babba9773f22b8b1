import { type ChildProcess, spawn } from "node:child_process";
import { verifyWebhook } from "@/sdk/api/webhooks/verify-webhook";
import { BINARY } from "../binary";
import { Gate } from "../gate";
import { Receiver } from "../receiver";
import { expect, type Person, test } from "./fixtures";

interface Line {
  kind: string;
  secret?: string;
  status?: number | null;
  error?: string | null;
  event?: { event: string; event_id: string; transfer_id: string };
}

/** A running `halcyon listen`. */
class Listening {
  readonly child: ChildProcess;
  private output = "";
  readonly ended: Promise<number | null>;

  constructor(url: string, person: Person, args: string[]) {
    const env = { ...process.env, HALCYON_API_KEY: person.apiKey, HALCYON_WALLET_KEY: "", HALCYON_URL: url };
    this.child = spawn(process.execPath, [BINARY, "listen", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (chunk) => {
        this.output += chunk;
      });
    }
    this.ended = new Promise((resolve) => this.child.once("close", resolve));
  }

  get text(): string {
    return this.output;
  }

  /** With `--json`, every line is a JSON document. */
  get lines(): Line[] {
    return this.output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  }

  kinds = () => this.lines.map(({ kind }) => kind);
}

test("a webhook's whole life from a terminal", async ({ payer, person }) => {
  const [alice, bob] = [await payer("alice", "10"), await person("bob")];
  const receiver = await Receiver.open();
  try {
    const created = await alice.json<Record<string, string>>(
      "webhooks",
      "create",
      receiver.url(),
      "--events",
      "transfer.initiated,transfer.confirmed",
    );
    expect(created).toMatchObject({ webhook_id: expect.stringMatching(/^wh_/), enabled: true, url: receiver.url() });
    const [id, secret] = [String(created.webhook_id), String(created.secret)];
    const listed = await alice.json<{ webhooks: unknown[] }>("webhooks", "list");
    const { secret: _, ...shown } = created;
    expect(listed).toEqual({ webhooks: [shown], has_more: false });

    await alice.json("webhooks", "test", id, "--event", "transfer.failed");
    await expect.poll(() => receiver.types()).toEqual(["transfer.failed"]);
    await alice.json("send", "--to", `@${bob.handle}`, "--amount", "1");
    await expect.poll(() => receiver.received.length).toBe(3);
    for (const { body, headers, at } of receiver.received) {
      expect(verifyWebhook(body, headers, secret, { now: at }).account).toBe(`@${alice.handle}`);
    }
    const eventId = String(receiver.received[1]?.event.event_id);
    const { events } = await alice.json<{ events: { event_id: string }[] }>("events", "--limit", "2");
    expect(events.map(({ event_id }) => event_id)).toContain(eventId);
    expect(await alice.json("webhooks", "replay", id, eventId)).toMatchObject({ trigger: "replay", event_id: eventId });
    await expect.poll(() => receiver.received.length).toBe(4);
    const done = () => alice.json<{ deliveries: { trigger: string; status: string }[] }>("webhooks", "deliveries", id);
    await expect
      .poll(async () => (await done()).deliveries.map(({ trigger, status }) => `${trigger} ${status}`))
      .toEqual(["replay succeeded", "automatic succeeded", "automatic succeeded", "test succeeded"]);

    expect(await alice.json("webhooks", "update", id, "--events", "transfer.failed", "--disable")).toMatchObject({
      enabled: false,
      events: ["transfer.failed"],
    });
    const moved = await alice.json("webhooks", "update", id, "--enable", "--endpoint", receiver.url("/moved"));
    expect(moved).toMatchObject({ enabled: true, url: receiver.url("/moved") });
    expect(await alice.json("webhooks", "rotate-secret", id)).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(await alice.json("webhooks", "redeliver", id, "--since", "2026-01-01T00:00:00Z")).toEqual({ queued: 0 });
    expect(await alice.json("webhooks", "delete", id)).toEqual({ webhook_id: id, deleted: true });
    expect(await alice.json("webhooks", "list")).toEqual({ webhooks: [], has_more: false });
    expect(await alice.error(["webhooks", "deliveries", id])).toMatchObject({ code: "not_found" });

    const words = ["webhooks", "create", "http://10.0.0.1/", "--events", "transfer.failed"];
    expect(await alice.error(words)).toMatchObject({ code: "invalid_request" });
    expect(await alice.error(["webhooks", "redeliver", id, "--since", "yesterday"])).toMatchObject({
      code: "invalid_request",
    });

    // Without an API key, the wallet authenticates.
    const own = await bob.json<{ webhook_id: string }>(
      ...["webhooks", "create", receiver.url("/bob"), "--events", "transfer.failed"],
    );
    expect(await bob.json("webhooks", "list")).toMatchObject({ webhooks: [{ webhook_id: own.webhook_id }] });
    expect(await bob.json("webhooks", "test", own.webhook_id)).toMatchObject({ trigger: "test" });
    await expect.poll(() => receiver.received.at(-1)?.path).toBe("/bob");
    expect(await alice.error(["webhooks", "deliveries", own.webhook_id])).toMatchObject({ code: "not_found" });
    expect(await bob.json("webhooks", "delete", own.webhook_id)).toMatchObject({ deleted: true });
  } finally {
    await receiver.close();
  }
});

test("listen forwards events as they happen, signed, over a restart of the service, until Ctrl-C", async ({
  payer,
  person,
  baseURL,
}) => {
  const [alice, bob] = [await payer("alice", "10"), await person("bob")];
  const [receiver, gate] = [await Receiver.open(), new Gate(baseURL ?? "")];
  await gate.open();
  await alice.json("send", "--to", `@${bob.handle}`, "--amount", "1");
  const listening = new Listening(gate.url, alice, ["--forward-to", receiver.url(), "--json"]);
  try {
    await expect.poll(() => listening.kinds()).toEqual(["ready"]);
    const secret = String(listening.lines[0]?.secret);
    await alice.json("send", "--to", `@${bob.handle}`, "--amount", "1");
    await expect.poll(() => receiver.types()).toEqual(["transfer.initiated", "transfer.confirmed"]);
    const [first] = receiver.received;
    expect(verifyWebhook(first?.body ?? "", first?.headers ?? {}, secret).event).toBe("transfer.initiated");
    const own = { "x-service-signature": first?.headers["x-service-signature"] };
    expect(verifyWebhook(first?.body ?? "", own, secret).event_id).toBe(first?.headers["webhook-id"]);
    await expect.poll(() => listening.kinds()).toEqual(["ready", "event", "answer", "event", "answer"]);
    expect(listening.lines[2]).toMatchObject({ status: 204, error: null, event: { event: "transfer.initiated" } });

    await gate.shut();
    await expect.poll(() => listening.kinds()).toContain("lost");
    receiver.respond = () => 500;
    await alice.json("send", "--to", `@${bob.handle}`, "--amount", "1");
    expect(receiver.received).toHaveLength(2);
    await gate.open();
    await expect.poll(() => receiver.received.length).toBe(4);
    await expect.poll(() => listening.lines.at(-1)).toMatchObject({ kind: "answer", status: 500 });
    expect(listening.kinds().filter((kind) => kind === "lost" || kind === "found")).toEqual(["lost", "found"]);
    expect(new Set(receiver.received.map(({ event }) => event.event_id)).size).toBe(4);

    // A missing receiver does not end the command.
    await receiver.close();
    await alice.json("send", "--to", `@${bob.handle}`, "--amount", "1");
    await expect.poll(() => listening.lines.at(-1)).toMatchObject({ status: null, error: "ECONNREFUSED" });
    listening.child.kill("SIGINT");
    expect(await listening.ended).toBe(0);
  } finally {
    listening.child.kill("SIGKILL");
    await gate.shut();
  }
});

test("listen forwards only the types it is asked for, and shows people what happens", async ({
  payer,
  person,
  baseURL,
}) => {
  const [alice, bob] = [await payer("alice", "10"), await person("bob")];
  const receiver = await Receiver.open();
  const url = receiver.url("/confirmed");
  const listening = new Listening(baseURL ?? "", alice, ["--forward-to", url, "--events", "transfer.confirmed"]);
  try {
    await expect
      .poll(() => listening.text)
      .toMatch(/^Ready\. Events go to \S+, signed with whsec_\S+ \(press Ctrl-C to stop\)\.\n$/);
    await alice.json("send", "--to", `@${bob.handle}`, "--amount", "1");
    await expect
      .poll(() => listening.text)
      .toMatch(/--> transfer\.confirmed \[evt_\w+\] @\S+ tr_\w+\n.*<-- \[204\] \d+ ms \[evt_\w+\]\n$/);
    expect(receiver.types("/confirmed")).toEqual(["transfer.confirmed"]);
    expect(listening.text).not.toContain("transfer.initiated");
    listening.child.kill("SIGINT");
    expect(await listening.ended).toBe(0);
  } finally {
    listening.child.kill("SIGKILL");
    await receiver.close();
  }
});

test("trigger makes an event happen, or sends a sample of one that can't be caused; time passes on request", async ({
  payer,
}) => {
  const alice = await payer("alice", "10");
  const receiver = await Receiver.open();
  try {
    const types = ["transfer.failed", "agent.transaction.expired", "schedule.missed", "schedule.run_missed"];
    const [failed = "", expired = "", unknown = "", missed = ""] = types;
    await alice.json("webhooks", "create", receiver.url(), "--events", [failed, expired, missed].join(","));
    for (const event of [failed, expired]) {
      expect(await alice.json("trigger", event)).toEqual({ event, kind: "real" });
      await expect.poll(() => receiver.types()).toContain(event);
    }
    expect(await alice.json("trigger", missed)).toMatchObject({ kind: "sample", webhooks: [expect.any(String)] });
    await expect.poll(() => receiver.received.at(-1)?.event).toMatchObject({ event: missed, test: true });
    expect(await alice.error(["trigger", "payout.paused"])).toMatchObject({ code: "not_found" });
    expect(await alice.error(["trigger", unknown])).toMatchObject({ code: "invalid_request" });
    expect(await alice.json("test-helpers", "advance-clock", "--by", "1h")).toMatchObject({ advanced_seconds: 3_600 });
  } finally {
    await receiver.close();
  }
});

test("trigger makes payouts, payment requests, schedules and the end of an agent happen", async ({ payer }) => {
  const alice = await payer("alice", "10");
  const receiver = await Receiver.open();
  const types = [
    "agent.ended",
    "payout.finished",
    "payment_request.paid",
    "payment_request.expired",
    "payment_request.cancelled",
    "schedule.run_paid",
  ];
  const onTheWay = ["payment_request.payment_received", "schedule.due"];
  try {
    await alice.json("webhooks", "create", receiver.url(), "--events", [...types, ...onTheWay].join(","));
    for (const event of types) {
      expect(await alice.json("trigger", event)).toEqual({ event, kind: "real" });
      await expect.poll(() => receiver.types()).toContain(event);
    }
    for (const event of onTheWay) expect(receiver.types()).toContain(event);
    expect(receiver.received.some(({ event }) => event.test === true)).toBe(false);
    const { schedules } = await alice.json<{ schedules: { status: string }[] }>("schedules", "list");
    expect(schedules.map(({ status }) => status)).toEqual(["ended"]);
  } finally {
    await receiver.close();
  }
});

test("listen ends with an error where waiting would not help", async ({ payer }) => {
  const alice = await payer("alice", "1");
  const refused = (args: string[], env = {}) => alice.processError(["listen", ...args], env);
  expect(await refused(["--forward-to", "localhost:4000"])).toMatchObject({ code: "invalid_request" });
  expect(await refused(["--forward-to", "http://localhost:1", "--events", "nothing"])).toMatchObject({
    code: "invalid_request",
  });
  const wrong = { HALCYON_API_KEY: `hc_test_${"x".repeat(49)}` };
  expect(await refused(["--forward-to", "http://localhost:1"], wrong)).toMatchObject({ code: "unauthorized" });
});
