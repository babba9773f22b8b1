import { once } from "node:events";
import { join } from "node:path";
import { configDir } from "../context/platform/config-dir";
import { fileClaims } from "../x402/file-claims";
import { type FacilitatorNews, serveFacilitator } from "../x402/serve-facilitator";
import { untilStopped } from "./look-again";
import { portOf } from "./option-values";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

interface FacilitatorFlags {
  port: string;
  host: string;
  claims?: string;
}

type News = { kind: "ready"; url: string; claims: string } | ({ kind: "request" } & FacilitatorNews);

function shown(news: News): string {
  if (news.kind === "ready") return `Serving ${news.url} (press Ctrl-C to stop). Payments taken: ${news.claims}`;
  return [news.path, news.status, news.reason].filter((part) => part !== undefined).join(" ");
}

/** `facilitator`. */
export const facilitatorCommands: AddCommand = (program, reports, variables) => {
  const command = withExamples(
    program
      .command("facilitator")
      .description(
        "check payments over HTTP 402 (x402) for your own servers; needs the seller's viewing key. Ctrl-C stops it",
      )
      .option("--port <port>", "where it listens", "4402")
      .option("--host <address>", "only your servers should reach it", "127.0.0.1")
      .option("--claims <folder>", "which payments were taken; shared by all facilitators of the seller"),
    "facilitator",
    "facilitator --port 4500 --claims /var/lib/shop/claims",
  );
  command.action(() =>
    reports.streaming<News>(
      command,
      async (client, tell, closed) => {
        const { port, host, claims = join(configDir(variables), "claims") } = command.opts<FacilitatorFlags>();
        const selling = await client.x402.seller({ claims: fileClaims(claims) });
        const place = { port: portOf(port), host };
        const running = await serveFacilitator(selling, place, (news) => tell({ kind: "request", ...news }));
        tell({ kind: "ready", url: running.url, claims });
        await once(untilStopped(closed), "abort");
        await running.close();
      },
      shown,
    ),
  );
};
