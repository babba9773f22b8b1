import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { METRICS, type Metric } from "@/lib/base/telemetry/catalogue";

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}
interface RuleTest {
  name: string;
  alert_rule_test: { alertname: string; exp_alerts?: object[] }[];
}
interface Panel {
  title: string;
  targets: { expr: string }[];
}

const read = (file: string) => readFileSync(file, "utf8");
const rules = (parse(read("deploy/prometheus/rules.yaml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read("deploy/grafana/halcyon.json")) as { panels: Panel[] };
const runbook = read("docs/runbook.md");

/** Returns a metric's series in Prometheus. */
function seriesOf([name, { type, unit }]: [string, Metric]): string[] {
  const base = name.replaceAll(".", "_") + (unit === "s" ? "_seconds" : "");
  if (type === "counter") return [`${base}_total`];
  if (type === "gauge") return [base];
  return [`${base}_bucket`, `${base}_count`, `${base}_sum`];
}

const exported = new Map(
  (Object.entries(METRICS) as [string, Metric][]).flatMap((entry) =>
    seriesOf(entry).map((series) => [series, entry[1].labels.map((label) => label.replaceAll(".", "_"))] as const),
  ),
);

/** Labels that the exporter and Prometheus add. */
const ADDED: Record<string, string[]> = { target_info: ["service_name"] };

/** Returns what an expression selects: series, and the labels it matches. */
function selectorsOf(expr: string): { series: string; labels: string[] }[] {
  const found = expr.matchAll(/\b((?:halcyon|http_server|target)_\w+)\s*(?:\{([^}]*)\})?/g);
  return [...found].map(([, series = "", matchers = ""]) => {
    return { series, labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label) };
  });
}

function unknownIn(expr: string): string[] {
  return selectorsOf(expr).flatMap(({ series, labels }) => {
    const known = ADDED[series] ?? exported.get(series);
    return known ? labels.filter((label) => !known.includes(label)).map((label) => `${series}.${label}`) : [series];
  });
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");
const sections = [...runbook.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);

describe("deploy/prometheus", () => {
  it("alerts on series and labels that processes export, and no others", () => {
    expect(rules.length).toBeGreaterThan(15);
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    expect(unknownIn('halcyon_payment_total + halcyon_payments_total{account="a"}')).toEqual([
      "halcyon_payment_total",
      "halcyon_payments_total.account",
    ]);
  });

  it("plays each alert firing, and silent on a good day", () => {
    const { tests } = parse(read("deploy/prometheus/rules.test.yaml")) as { tests: RuleTest[] };
    const all = rules.map(({ alert }) => alert).toSorted();
    const played = tests.flatMap(({ alert_rule_test: played }) => played);
    const firing = played.filter(({ exp_alerts: alerts = [] }) => alerts.length > 0);
    expect([...new Set(firing.map(({ alertname }) => alertname))].toSorted()).toEqual(all);
    const quiet = tests.find(({ name }) => name === "a good day")?.alert_rule_test ?? [];
    expect(quiet.filter(({ exp_alerts: alerts = [] }) => alerts.length > 0)).toEqual([]);
    expect(quiet.map(({ alertname }) => alertname).toSorted()).toEqual(all);
  });

  it("scrapes the jobs that alerts on other exporters select", () => {
    const { scrape_configs: jobs } = parse(read("deploy/prometheus/scrape.yaml")) as {
      scrape_configs: { job_name: string; params?: { module: string[] } }[];
    };
    const selected = rules.flatMap(({ expr }) => [...expr.matchAll(/\bjob="([^"]*)"/g)].map(([, job]) => job));
    expect(selected.length).toBeGreaterThan(3);
    expect(jobs.map(({ job_name }) => job_name)).toEqual(expect.arrayContaining(selected));
    const { modules } = parse(read("deploy/prometheus/blackbox.yaml")) as { modules: object };
    expect(jobs.flatMap(({ params }) => params?.module ?? [])).toEqual(Object.keys(modules));
  });

  it("scales by metrics that exist", () => {
    const adapter = parse(read("deploy/prometheus/adapter.yaml")) as {
      rules: Record<"custom" | "external", { seriesQuery: string }[]>;
    };
    const series = [...adapter.rules.custom, ...adapter.rules.external].flatMap(({ seriesQuery }) =>
      selectorsOf(seriesQuery).map((selector) => selector.series),
    );
    expect(series).toEqual(["halcyon_prover_jobs", "halcyon_webhook_waiting"]);
    expect(series.filter((one) => !exported.has(one))).toEqual([]);
  });

  // promtool is in Debian's package `prometheus`. Without it, this one test is skipped, but not by `.ci/run`.
  const promtool = (...args: string[]) => spawnSync("promtool", args, { encoding: "utf8" });
  it.skipIf(promtool("--version").error !== undefined && !process.env.CI_TOOLS)(
    "passes promtool, with its tests",
    () => {
      for (const args of [
        ["check", "config", "deploy/prometheus/scrape.yaml"],
        ["test", "rules", "deploy/prometheus/rules.test.yaml"],
      ]) {
        const { status, stdout, stderr, error } = promtool(...args);
        expect(status, error?.message ?? stdout + stderr).toBe(0);
      }
    },
  );
});

describe("deploy/grafana", () => {
  it("shows series and labels that processes export, and no others", () => {
    expect(panels.length).toBeGreaterThan(15);
    expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => unknownIn(expr)))).toEqual([]);
  });

  it("shows every metric that there is", () => {
    const text = JSON.stringify(panels);
    const bases = Object.entries(METRICS).map((entry) => seriesOf(entry as [string, Metric])[0] ?? "");
    const missing = bases.filter((series) => !text.includes(series.replace(/_bucket$/, "")));
    // The lag in blocks says the same as the lag in seconds.
    expect(missing).toEqual(["halcyon_index_lag_blocks"]);
  });
});

describe("docs/runbook.md", () => {
  it("has a section for each alert, which names it, and twelve things in all", () => {
    expect(sections).toHaveLength(12);
    for (const { alert, annotations } of rules) {
      const [, anchor] = annotations.runbook.split("#");
      const heading = sections.find((one) => anchorOf(one) === anchor) ?? "";
      const [, rest = ""] = runbook.split(`## ${heading}\n`);
      expect(rest.split("\n## ")[0], `${alert} in "${heading}"`).toContain(`\`${alert}\``);
    }
    const named = [...runbook.matchAll(/`(Halcyon\w+)`/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(rules.map(({ alert }) => alert)));
  });

  it("names panels of the dashboard that there are", () => {
    const titles = panels.map(({ title }) => title);
    const named = [...runbook.matchAll(/"([A-Z][a-z]+ by [a-z]+)"/g)].map(([, title = ""]) => title);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((title) => !titles.includes(title))).toEqual([]);
  });
});
