import { readFileSync } from "node:fs";
import { HalcyonError } from "../api/errors";
import type { Halcyon } from "../client";
import { amountText } from "./amount-option";
import { EXIT, type ExitStatus } from "./exit-status";
import { fields } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

interface PayFlags {
  method?: string;
  header: string[];
  data?: string;
  max?: string;
  asset?: string;
  dryRun?: boolean;
  again?: boolean;
}

/** The result that `pay` prints. */
interface Paid {
  /** Null when it is unknown whether it was paid. */
  paid: boolean | null;
  status?: number;
  body?: string;
  [fact: string]: unknown;
}

/** Collects repeated `--header "name: value"` options. */
const collect = (header: string, headers: string[]): string[] => [...headers, header];

function requestOf({ method, header, data, asset }: PayFlags) {
  const headers = header.map((line): [string, string] => {
    const colon = line.indexOf(":");
    if (colon < 1) throw new HalcyonError("invalid_request", '--header is "name: value".', { param: "header" });
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const body = data?.startsWith("@") ? fileOf(data.slice(1)) : data;
  return { method: method ?? (body === undefined ? "GET" : "POST"), headers, body, asset };
}

function fileOf(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    throw new HalcyonError("invalid_request", `Cannot read ${path}.`, { param: "data" });
  }
}

/** Says in words that a payment is public; leaves the field out for a confidential one. */
function spoken({ public: isPublic, ...facts }: { public?: boolean }): Record<string, unknown> {
  return { ...facts, ...(isPublic && { public: "yes: anyone can see this payment and its amount" }) };
}

async function pay(client: Halcyon, url: string, flags: PayFlags): Promise<Paid> {
  const request = requestOf(flags);
  if (flags.dryRun || flags.max === undefined) {
    const { price, policy } = await client.x402.price(url, request);
    return { paid: false, ...spoken(price ?? {}), policy: policy?.outcome ?? null, reason: policy?.reason ?? null };
  }
  const { max, again } = flags;
  const { response, payment } = await client.x402.pay(url, { ...request, max, again });
  const { outcome, ...receipt } = payment ?? {};
  const paid = outcome === "unknown" ? null : outcome === "paid";
  return { paid, ...spoken(receipt), status: response.status, body: await response.text() };
}

/**
 * Returns the exit status: that nothing was served, or that it is unknown what was paid, is no success.
 *
 * @param status of the seller's response; none for a price
 */
export function statusOfPaid({ paid, status }: Paid): ExitStatus {
  if (paid === null) return EXIT.outcomeUnknown;
  if (status === undefined || (status >= 200 && status < 300)) return EXIT.done;
  if (status === 404) return EXIT.notFound;
  if (status === 429) return EXIT.rateLimited;
  return status >= 500 ? EXIT.unavailable : EXIT.refused;
}

/** `pay`. */
export const payCommands: AddCommand = (program, reports) => {
  const command = withExamples(
    program
      .command("pay")
      .description("request a URL and pay what its server asks for (HTTP 402, x402); needs an API key")
      .argument("<url>", "https, or http on this machine")
      .option("--max <amount>", "the highest price to pay; without it, show the price and pay nothing", amountText)
      .option("--asset <symbol>", "of the price (default: USDG)")
      .option("-X, --method <method>", "HTTP method (default: GET, or POST with --data)")
      .option("-H, --header <header>", 'a header as "name: value"; repeat it for more', collect, [])
      .option("-d, --data <text>", "the body, or @ and a file's name")
      .option("--dry-run", "show the price and what the policy says, and pay nothing")
      .option("--again", "pay even if an earlier payment for the same was not served"),
    "pay https://api.example.com/report --max 0.10",
    "pay https://api.example.com/report --dry-run",
  );
  command.action((url: string) =>
    reports.withClient(
      command,
      (client) => pay(client, url, command.opts<PayFlags>()),
      ({ body = "", ...facts }) => {
        const shown = fields({
          ...facts,
          paid: facts.paid === null ? "unknown" : facts.paid ? "yes" : "no",
        } as Parameters<typeof fields>[0]);
        return [shown, body].filter(Boolean).join("\n\n");
      },
      statusOfPaid,
    ),
  );
};
