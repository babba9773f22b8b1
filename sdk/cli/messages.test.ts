import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { everyCommand, halcyon } from "@/test/sdk/command-line";
import { EXIT } from "./exit-status";
import { fieldOf } from "./field-of";

let asked: string[] = [];
let respond: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.setHeader("content-type", "application/json");
  respond(response);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());
beforeEach(() => {
  asked = [];
  respond = (response) => response.end(JSON.stringify({ webhooks: [], events: [] }));
  vi.stubEnv("HALCYON_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("HALCYON_API_KEY", `hc_test_${"0".repeat(49)}`);
});
afterEach(() => void vi.unstubAllEnvs());

describe("an amount that is none", () => {
  it.each(["1,5", "1.000,50", "1e3", "0x10", "0", "-1", "25 USDG", ""])("is refused first: %j", async (amount) => {
    vi.stubEnv("HALCYON_API_KEY", "");
    const line = ["send", "--to", "@bob", "--amount", amount];
    const { status, out, err } = await halcyon(...line);
    expect({ status, out }).toEqual({ status: EXIT.usage, out: "" });
    expect(err).toMatch(/^error: invalid_request: .*Write an amount above zero such as "12\.5"/);
    if (amount.includes(",")) expect(err).toContain("Write decimals with a point");
    if (amount !== "" && amount !== "0") expect(err).not.toContain(amount);
    expect(asked).toEqual([]);
  });
});

describe("an amount", () => {
  it("may be as large as its asset allows, and an error names no other asset's limit alone", async () => {
    await halcyon("send", "--to", "@bob", "--amount", "20000000000");
    expect(asked).not.toEqual([]);
    const { err } = await halcyon("send", "--to", "@bob", "--amount", "0");
    expect(err).toContain("--amount: Write an amount above zero");
    expect(err).toContain("up to 6 of USDG or 9 of ETH decimal places");
  });
});

/** Texts that no option with such a value takes. */
const NO_VALUES: Record<string, string[]> = {
  time: ["tomorrow", "2026-13-01", "2026-02-30", "2026-11-01T25:00:00Z", ""],
  day: ["tomorrow", "2026-13-01", "2026-02-30", "2026-11-01T12:00:00", ""],
  amount: ["1,5", "-1", "x", "0.0000000001", ""],
  n: ["x", "-1", "1.5", ""],
  number: ["x", "-1", "1.5", "1e3", ""],
};

describe("a value that an option does not take", () => {
  const options = everyCommand().commands.flatMap(([path, command]) =>
    command.options.flatMap(({ long, flags }) =>
      (NO_VALUES[/[<[](\w+)[>\]]/.exec(flags)?.[1] ?? ""] ?? []).map((value) => ({ path, long: String(long), value })),
    ),
  );

  it("is of every kind", () => expect(options.length).toBeGreaterThan(100));

  it.each(options)("is refused before anything is sent, by the option's name: $path $long $value", async (option) => {
    const { status, err } = await halcyon(...option.path.split(" "), `${option.long}=${option.value}`);
    expect(status).toBe(EXIT.usage);
    expect(err).toContain(option.long);
    expect(err).toMatch(/such as|whole number|up to|Allowed choices/);
    expect(asked).toEqual([]);
  });
});

describe("a command that changes something", () => {
  it.each(["policy set bot", "limits set", "webhooks update wh_1"])("has something to change: %s", async (line) => {
    const { status, out, err } = await halcyon(...line.split(" "));
    expect({ status, out, asked }).toEqual({ status: EXIT.usage, out: "", asked: [] });
    expect(err).toContain("Nothing to change. Name ");
  });
});

describe("an address that is none", () => {
  it.each(["HALCYON_URL", "HALCYON_RPC_URL"])("is named by its variable: %s", async (variable) => {
    vi.stubEnv(variable, "localhost:3000");
    const { status, err } = await halcyon("webhooks", "list");
    expect(status).toBe(EXIT.usage);
    expect(err).toContain(`${variable} is not an address`);
    expect(err).not.toContain("--url");
  });

  it("is named by its option", async () => {
    const { status, err } = await halcyon("webhooks", "list", "--url", "localhost:3000");
    expect(status).toBe(EXIT.usage);
    expect(err).toContain("--url is not an address");
  });
});

describe("a wrong key", () => {
  it("of another service is not sent to this one", async () => {
    vi.stubEnv("HALCYON_API_KEY", "sk_live_x");
    const { status, err } = await halcyon("webhooks", "list");
    expect(status).toBe(EXIT.credentials);
    expect(err).toBe("error: unauthorized: This is not a Halcyon API key: those begin with hc_test_ or hc_live_.\n");
    expect(asked).toEqual([]);
  });
});

describe("a handle that is taken", () => {
  const refused = async (param: string) => {
    respond = (response) => {
      response.statusCode = 409;
      response.end(JSON.stringify({ error: { code: "handle_taken", message: "Taken.", param } }));
    };
    const { status, err } = await halcyon("webhooks", "list");
    expect(status).toBe(EXIT.refused);
    return err;
  };

  it("is followed by what to do", async () => {
    expect(await refused("handle")).toMatch(/Taken\.\nhint: if the account is yours, use/);
  });

  it("is an agent's name: no other wallet helps", async () => {
    expect(await refused("name")).not.toContain("hint");
  });
});

describe("a subcommand that is none", () => {
  it.each([
    ["policy show bot", "policy get"],
    ["keys ls", "keys list"],
    ["keys delete key_1", "keys revoke"],
    ["webhooks add https://example.com", "webhooks create"],
    ["--json agents stop bot", "agents pause"],
  ])("%s ends with the name of the right one", async (line, meant) => {
    const { status, err } = await halcyon(...line.split(" "));
    expect(status).toBe(EXIT.usage);
    expect(err).toContain(`Did you mean \`${meant}\`?`);
  });

  it("ends with the closest spelling where no other word fits", async () => {
    expect((await halcyon("keys", "lsit")).err).toMatch(/Did you mean list\?/);
  });
});

describe("a word that is misspelled", () => {
  it.each([
    [["tranfsers"], "transfers"],
    [["send", "--to", "@bob", "--amount", "1", "--meno", "x"], "--memo"],
    [["transfers", "--staus", "failed"], "--status"],
    [["--netwrok", "live", "balances"], "--network"],
    [["transfers", "--status", "confirmd"], "confirmed"],
    [["transfers", "--direction", "SENT"], "sent"],
    [["trigger", "transfer.confirmd"], "transfer.confirmed"],
    [["listen", "--events", "transfer.confirmed,agent.transaction.aproved"], "agent.transaction.approved"],
    [["events", "--types", "webhook.disabeld"], "webhook.disabled"],
    [["webhooks", "create", "https://example.com/hook", "--events", "transfer.faild"], "transfer.failed"],
  ])("ends with the one that is meant, and asks nothing: %j", async (line, meant) => {
    const { status, out, err } = await halcyon(...line);
    expect({ status, out }).toEqual({ status: EXIT.usage, out: "" });
    expect(err).toContain(`Did you mean ${meant}?`);
    expect(asked).toEqual([]);
  });

  it("names no other where none is close", async () => {
    const { err } = await halcyon("trigger", "something.else");
    expect(err).toContain("Allowed choices are");
    expect(err).not.toContain("Did you mean");
  });
});

describe("the SDK's names", () => {
  it("of a command mean that command, with its options, also after those of every command", async () => {
    const { out, status } = await halcyon("events", "--json", "--limit", "3");
    asked = [];
    expect(await halcyon("--json", "events", "list", "--limit", "3")).toEqual({ status, out, err: "" });
    expect(asked).toEqual(["GET /v1/events?limit=3"]);
    expect((await halcyon("transfers", "create", "--help")).out).toMatch(/^Usage: halcyon send/);
    expect((await halcyon("approvals", "list", "--help")).out).toMatch(/^Usage: halcyon pending/);
  });
});

describe("--field", () => {
  it("prints one field as it is, and JSON for what is no text", async () => {
    const webhook = {
      webhook_id: "wh_1",
      url: "https://example.com/hook",
      enabled: true,
      events: ["a", "b"],
      secret: "whsec_1",
    };
    respond = (response) => response.end(JSON.stringify(webhook));
    const field = (name: string) =>
      halcyon("webhooks", "create", webhook.url, "--events", "transfer.confirmed", "--field", name);
    expect(await field("secret")).toEqual({ status: 0, out: "whsec_1\n", err: "" });
    expect((await field("events")).out).toBe('["a","b"]\n');
    expect((await field("events.1")).out).toBe("b\n");
    expect((await field("enabled")).out).toBe("true\n");
    const { status, out, err } = await field("sercet");
    expect({ status, out }).toEqual({ status: EXIT.usage, out: "" });
    expect(err).toContain(
      "no field sercet. There are webhook_id, url, enabled, events, secret. The command was carried out",
    );
    expect(err).not.toContain("whsec_1");
  });

  it("reads no property that the document does not have", () => {
    for (const path of ["constructor", "__proto__", "a.length", "a.b.c", ""]) {
      expect(() => fieldOf({ a: "text", b: undefined }, path), path).toThrow(/no field/);
    }
    expect(fieldOf({ a: null }, "a")).toBe("null");
  });
});
