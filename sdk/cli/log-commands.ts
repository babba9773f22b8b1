import { type Command, Option } from "commander";
import type { LoggedRequest } from "../api/resources/request-log";
import type { ListRequestsInput } from "../resources/request-log-resource";
import { inCommandLineWords } from "./command-line-words";
import { type Listing, listOptions } from "./listing";
import { untilStopped } from "./look-again";
import { integer } from "./option-values";
import { time } from "./output";
import type { AddCommand } from "./program";
import { type TailNews, tailRequests } from "./tail-requests";
import { withExamples } from "./with-examples";

const LISTING: Listing<LoggedRequest> = {
  name: "requests",
  headings: ["time", "method", "route", "status", "error", "took", "key", "id"],
  row: (one) => [
    time(one.created_at),
    one.method,
    one.route,
    String(one.status),
    one.error_code ?? "",
    `${one.duration_ms} ms`,
    one.key_label ?? one.key_id,
    one.request_id,
  ],
  none: "No requests.",
  columns: [
    ...["request_id", "created_at", "key_id", "key_label", "method"],
    ...["route", "status", "error_code", "duration_ms"],
  ],
  record: (one) => [
    ...[one.request_id, one.created_at, one.key_id, one.key_label, one.method],
    ...[one.route, one.status, one.error_code, one.duration_ms],
  ],
};

function filterOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--outcome <outcome>", "only what succeeded, was refused (4xx), or failed at the service").choices([
        "succeeded",
        "refused",
        "failed",
      ]),
    )
    .addOption(new Option("--method <method>", "only this method").choices(["GET", "POST", "PATCH", "PUT", "DELETE"]))
    .option("--key <id>", "only requests with this API key");
}

function shown(news: TailNews): string {
  if (news.kind === "found") return "... The service is back.";
  if (news.kind === "lost") return `... ${inCommandLineWords(news.message)} Trying again.`;
  const { request } = news;
  const { created_at, status, error_code, duration_ms, method, route, key_label, key_id, request_id } = request;
  const outcome = `${status}${error_code ? ` ${error_code}` : ""}`;
  return `${time(created_at)}  ${method} ${route}  ${outcome}  ${duration_ms} ms  ${key_label ?? key_id}  ${request_id}`;
}

/** `logs`: requests with the account's API keys. */
export const logCommands: AddCommand = (program, reports) => {
  const logs = withExamples(
    filterOptions(
      listOptions(
        program
          .command("logs")
          .description("list the API requests of the last 7 days, newest first (needs an API key of the account)"),
      ),
    ),
    "logs",
    "logs --outcome refused",
    "logs tail --method POST",
  );
  logs.action(() => {
    const { outcome, method, key } = logs.opts<ListRequestsInput>();
    return reports.listing(logs, (client, page) => client.requestLog.list({ outcome, method, key, ...page }), LISTING);
  });
  const tail = withExamples(
    filterOptions(
      logs
        .command("tail")
        .description("show the newest API requests and each new one, within seconds. Ctrl-C stops it")
        .option("--lines <number>", "with how many earlier ones to begin, up to 100", integer, 10),
    ),
    "logs tail",
    "logs tail --outcome refused --lines 0",
  );
  tail.action(() =>
    reports.streaming<TailNews>(
      tail,
      async (client, tell, closed) => {
        const { outcome, method, key, lines } = tail.optsWithGlobals<ListRequestsInput & { lines: number }>();
        await tailRequests(client, { outcome, method, key, lines, signal: untilStopped(closed), tell });
      },
      shown,
    ),
  );
};
