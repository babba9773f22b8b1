import { once } from "node:events";
import { HalcyonError } from "../api/errors";
import { Halcyon } from "../client";
import { configDir } from "../context/platform/config-dir";
import { DEFAULT_URL } from "../context/platform/node-context";
import { readPrivateFile } from "../context/platform/read-private-file";
import type { ProxyNews } from "../proxy/serve-proxy";
import { untilStopped } from "./look-again";
import { portOf } from "./option-values";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

interface ProxyFlags {
  port: string;
  homeKeys?: string;
}

type News = { kind: "ready"; url: string; service: string } | ({ kind: "request" } & ProxyNews);

function shown(news: News): string {
  if (news.kind === "ready") return `Serving ${news.url} for ${news.service} (press Ctrl-C to stop).`;
  return [news.method, news.by, news.status].join(" ");
}

/** `proxy`. */
export const proxyCommands: AddCommand = (program, reports, variables) => {
  const command = withExamples(
    program
      .command("proxy")
      .description(
        "serve the API on this machine for programs with a blind API key: it builds their payments with the home key (HALCYON_HOME_KEY), so the service sees no amount. Ctrl-C stops it",
      )
      .option("--port <port>", "where it listens, on this machine's own addresses only", "8402")
      .option("--home-keys <file>", "a file with one home key a line that only you can read, for several API keys"),
    "proxy",
    "proxy --port 8500 --home-keys home-keys.txt",
  );
  command.action(() =>
    reports.serving<News>(
      command,
      async ({ url }, tell, closed) => {
        const { port, homeKeys: file } = command.opts<ProxyFlags>();
        const service = url ?? (variables.HALCYON_URL || DEFAULT_URL);
        const text = file ? await readPrivateFile(file, "home keys") : (variables.HALCYON_HOME_KEY ?? "");
        const homeKeys = text.split(/\s+/).filter(Boolean);
        if (homeKeys.length === 0) {
          throw new HalcyonError(
            "unauthorized",
            "The proxy needs a home key: set HALCYON_HOME_KEY, or name a file with --home-keys. `halcyon keys create --blind` makes one.",
          );
        }
        const [{ serveProxy }, { listeningFetch }] = await Promise.all([
          import("../proxy/serve-proxy"),
          import("../proxy/build-transfer"),
        ]);
        const settings = {
          ...{ url: service, rpcUrl: variables.HALCYON_RPC_URL || undefined },
          ...{ configDir: configDir(variables), fetch: listeningFetch },
        };
        const place = { service, homeKeys, port: portOf(port) };
        const loadAhead = async (network: "test" | "live") => {
          const [{ loadAhead: load }, { Resource }] = await Promise.all([
            import("../resources/lazy-calls"),
            import("../resources/resource"),
          ]);
          await load(Resource.contextOf(new Halcyon({ ...settings, network }).transfers));
        };
        const running = await serveProxy(
          { ...place, clientOf: (keys) => new Halcyon({ ...settings, ...keys }), loadAhead },
          (news) => tell({ kind: "request", ...news }),
        );
        tell({ kind: "ready", url: running.url, service });
        await once(untilStopped(closed), "abort");
        await running.close();
      },
      shown,
    ),
  );
};
