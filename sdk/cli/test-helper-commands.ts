import { Argument, InvalidArgumentError } from "commander";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import type { EventType } from "../api/webhooks/webhook-events";
import { fields } from "./output";
import type { AddCommand } from "./program";
import { SAMPLE_EVENTS, type Triggered, trigger } from "./trigger";
import { withExamples } from "./with-examples";

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Parses a time span option such as `90s`, `15m`, `12h` or `30d` into seconds. */
function secondsOf(text: string): number {
  const [, count = "", unit = ""] = /^([1-9][0-9]{0,8})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError("It must be a span such as 90s, 15m, 12h or 30d.");
}

function showTriggered({ event, kind, webhooks = [] }: Triggered): string {
  if (kind === "real") return `${event} happened.`;
  return `${event} can't be caused here: a sample, marked as a test, goes to ${webhooks.join(", ")}.`;
}

/** `trigger`, `test-helpers advance-clock`, `test-helpers expire`, `test-helpers failing-recipient`. */
export const testHelperCommands: AddCommand = (program, reports) => {
  const triggered = withExamples(
    program
      .command("trigger")
      .description("make an event happen, or send a sample of one that can't be caused (local stack)")
      .addArgument(new Argument("<event>", "its type").choices(EVENT_TYPES))
      .addHelpText("after", `\nWebhooks get a sample of: ${SAMPLE_EVENTS.join(", ")}. All others happen for real.`),
    "trigger transfer.failed",
    "trigger agent.transaction.expired",
  );
  triggered.action((event: EventType) =>
    reports.withClient(triggered, (client, { settings }) => trigger(client, settings, event), showTriggered),
  );

  const helpers = withExamples(
    program.command("test-helpers").description("what is hard to cause otherwise (local stack)"),
    "test-helpers advance-clock --by 1d",
  );
  const clock = withExamples(
    helpers
      .command("advance-clock")
      .description("let time pass for approval windows, webhook retries and the expiry of API keys")
      .requiredOption("--by <span>", "how much, such as 90s, 15m, 12h or 30d", secondsOf),
    "test-helpers advance-clock --by 12h",
  );
  clock.action(() =>
    reports.withClient(
      clock,
      (client) => client.testHelpers.advanceClock({ seconds: clock.opts<{ by: number }>().by }),
      (result) => fields({ ...result }),
    ),
  );

  const expire = withExamples(
    helpers
      .command("expire")
      .description("end the approval window of a payment now")
      .argument("<id>", "the payment's id, txn_…"),
    "test-helpers expire txn_01M7YDBDVASKS9FTF0N3YZ25AW",
  );
  expire.action((id: string) =>
    reports.withClient(
      expire,
      (client) => client.testHelpers.expire(id),
      ({ transaction_id, status, agent, to, expires_at }) => fields({ transaction_id, status, agent, to, expires_at }),
    ),
  );

  const failing = withExamples(
    helpers.command("failing-recipient").description("show a recipient whose payments always fail"),
    "test-helpers failing-recipient",
  );
  failing.action(() =>
    reports.withClient(
      failing,
      (client) => client.testHelpers.failingRecipient(),
      ({ to }) => to,
    ),
  );
};
