import { readFileSync } from "node:fs";
import path from "node:path";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { BINARY } from "../binary";
import { runBinary } from "../halcyon";
import { expect, NOWHERE, type Person, test } from "./fixtures";

const ROOT = path.resolve(import.meta.dirname, "../..");

interface Sent {
  outcome: string;
  idempotency_key: string;
  transfer?: { transfer_id: string; status: string; to: string };
  held_payment?: { transaction_id: string; status: string };
}

interface Refused {
  error: { code: string; message: string; reason?: string; param?: string; remedy: string; idempotency_key?: string };
}

interface Configured {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Returns the server commands in each form that the guide shows to agent hosts. Only the clone's path is replaced. */
function configured(): Configured[] {
  const guide = readFileSync(path.join(ROOT, "docs/guides/mcp.md"), "utf8");
  const blocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json]) => JSON.parse(json ?? ""));
  const servers = blocks.map((block): Configured => (block.mcpServers ?? block.servers).halcyon);
  return servers.map((each) => ({
    ...each,
    args: each.args.map((arg) => arg.replace("/path/to/halcyon/sdk/bin/halcyon.mjs", BINARY)),
  }));
}

/** A host with the official MCP client, and the real command as its server. */
class Host {
  readonly client = new Client({ name: "e2e", version: "1" });
  /** Everything that the server has sent to the host and printed for people. */
  said = "";
  readonly errors: Error[] = [];

  async start(env: Record<string, string>): Promise<this> {
    const [{ command, args } = { command: "", args: [] }] = configured();
    const transport = new StdioClientTransport({
      command,
      args,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
      stderr: "pipe",
    });
    transport.stderr?.on("data", (chunk) => {
      this.said += chunk;
    });
    // A line that is not part of the protocol is an error.
    this.client.onerror = (error) => this.errors.push(error);
    await this.client.connect(transport);
    return this;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    const response = (await this.client.callTool(
      { name, arguments: args },
      {
        timeout: 120_000,
      },
    )) as CallToolResult;
    this.said += JSON.stringify(response);
    return response;
  }

  /** Returns a tool's structured result. The call must not fail. */
  async ok<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const { isError, structuredContent, content } = await this.call(name, args);
    expect(isError, JSON.stringify(content)).toBeFalsy();
    expect(content[1]).toEqual({ type: "text", text: JSON.stringify(structuredContent) });
    return structuredContent as T;
  }

  async refused(name: string, args: Record<string, unknown>): Promise<Refused["error"]> {
    const { isError, content } = await this.call(name, args);
    expect(isError).toBe(true);
    const [sentence, json] = content as { text: string }[];
    const { error } = JSON.parse(json?.text ?? "") as Refused;
    expect(sentence?.text).toContain(`${error.code}: ${error.message} ${error.remedy}`);
    return error;
  }
}

/** Creates an agent `bot` with money that may pay one person. Returns its key. */
async function agentOf(owner: Person, recipient: string): Promise<string> {
  const limits = ["--daily-limit", "40", "--per-transaction-limit", "20", "--threshold", "10"];
  await owner.json("agents", "create", "bot", ...limits, "--recipients", recipient);
  await owner.json("send", "--to", `@${owner.handle}/bot`, "--amount", "50");
  return (await owner.json<{ api_key: string }>("keys", "create", "--label", "mcp", "--agent", "bot")).api_key;
}

test("a model pays within its agent's policy, once for each key; what is held it can only wait for", async ({
  payer,
  person,
  baseURL,
}, info) => {
  const [alice, bob] = [await payer("alice", "60"), await person("bob")];
  const to = `@${bob.handle}`;
  const apiKey = await agentOf(alice, to);
  const env = { HALCYON_URL: baseURL ?? "", HALCYON_API_KEY: apiKey, HALCYON_CONFIG_DIR: info.outputPath("config") };
  const host = await new Host().start(env);
  try {
    const { tools } = await host.client.listTools();
    const names = [
      "send_payment",
      "pay_url",
      "dry_run",
      "get_policy",
      "get_balance",
      "list_transfers",
      "list_held_payments",
      "get_held_payment",
    ];
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(await host.ok("get_policy")).toMatchObject({ hitl_threshold_usdg: 10, allowed_recipients: [to] });
    expect(await host.ok("dry_run", { to, amount: "12" })).toMatchObject({ dry_run: true, outcome: "held" });

    const [amount, memo, reference] = ["4.5", "paper", "order-7"];
    const payment = { to, amount, memo, reference, idempotency_key: `once-${alice.handle}` };
    let sent: Sent = await host.ok<Sent>("send_payment", payment);
    // A call waits 25 seconds at most. The same key then asks for the same payment.
    const outcome = async () => {
      sent = await host.ok<Sent>("send_payment", payment);
      return sent.outcome;
    };
    if (sent.outcome !== "confirmed") await expect.poll(outcome).toBe("confirmed");
    expect(sent).toMatchObject({ outcome: "confirmed", transfer: { to, status: "confirmed", reference } });
    // The host lost the response, and the model repeats the call.
    const again = await host.ok<Sent>("send_payment", payment);
    expect(again.transfer?.transfer_id).toBe(sent.transfer?.transfer_id);
    const second = await host.ok<Sent>("send_payment", { to, amount: "1" });
    expect(second.idempotency_key).toMatch(/^[0-9a-f-]{36}$/);

    const held = await host.ok<Sent>("send_payment", { to, amount: "12.5", memo: "printer" });
    expect(held).toMatchObject({ outcome: "held", held_payment: { status: "pending_approval" } });
    const id = { transaction_id: held.held_payment?.transaction_id };
    expect(await host.ok("get_held_payment", id)).toMatchObject({ ...id, status: "pending_approval" });
    expect(await host.ok("list_held_payments")).toMatchObject({ pending: [{ ...id, to }], has_more: false });
    await alice.json("approve", id.transaction_id ?? "");
    expect(await host.ok("list_held_payments")).toMatchObject({ pending: [] });
    await alice.json("kyc", "verify");
    expect(await host.ok("get_balance")).toEqual({ balances: [{ asset: "USDG", above_zero: true }] });
    expect(await host.ok("get_held_payment", id)).toMatchObject({
      status: "approved",
      transfer_id: expect.stringMatching(/^tr_/),
    });

    const key = { idempotency_key: `refused-${alice.handle}` };
    expect(await host.refused("send_payment", { to: `@${alice.handle}`, amount: "20.5", ...key })).toMatchObject({
      code: "policy_violation",
      remedy: expect.stringContaining("Do not retry"),
      ...key,
    });
    expect(await host.refused("send_payment", { to: "@nobody-of-that-name", amount: "1" })).toMatchObject({
      code: "recipient_not_found",
      param: "to",
    });
    expect(await host.refused("get_held_payment", { transaction_id: "txn_x" })).toMatchObject({
      code: "transaction_not_found",
      remedy: expect.stringContaining("list_held_payments"),
    });

    const listed = await host.ok<{ transfers: { to: string; direction: string }[] }>("list_transfers", { limit: 10 });
    expect(listed.transfers.map((each) => each.direction)).toEqual(["sent", "sent", "sent", "received"]);
    // Only as complete values: a time can contain the seconds 34.5.
    expect(JSON.stringify(listed)).not.toMatch(/"(4\.5|12\.5)"|paper|printer/);
    const { transfers } = await bob.json<{ transfers: { amount: string }[] }>("transfers");
    expect(transfers.map(({ amount }) => amount)).toEqual(["12.5", "1", "4.5"]);
  } finally {
    await host.client.close();
  }
  expect(host.errors).toEqual([]);
  expect(host.said).toContain(`serving @${alice.handle}/bot`);
  expect(host.said).not.toContain(apiKey);
});

test("a model is given nothing that no policy bounds: a key of a whole account serves no one", async ({ payer }) => {
  const alice = await payer("alice", "1");
  expect(await alice.processError(["mcp"])).toMatchObject({ code: "key_forbidden" });
  expect(await alice.processError(["mcp"], { HALCYON_API_KEY: "" })).toMatchObject({ code: "unauthorized" });
});

test("the guide configures every kind of host to start the same command with a key of its own", () => {
  const all = configured();
  expect(all).toHaveLength(2);
  for (const { command, args, env } of all) {
    expect([command, ...args]).toEqual(["node", BINARY, "mcp"]);
    expect(Object.keys(env)).toEqual(["HALCYON_URL", "HALCYON_API_KEY"]);
  }
});

test("a service that is away is reported on standard error and awaited; the command ends with its host", async () => {
  // Without standard input, the host is gone already.
  const env = { ...process.env, HALCYON_URL: NOWHERE, HALCYON_API_KEY: "hc_test_unused" };
  const done = await runBinary(["mcp"], env);
  expect(done).toMatchObject({ status: 0, stdout: "" });
  expect(done.stderr).toContain("No Halcyon service responds");
});
