import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseEnv } from "@/lib/base/env";
import { WEB_SERVER_LIMITS } from "@/lib/http/web-server";
import { removeFolder } from "../stack/files";
import { NODE_FLAGS } from "../stack/node-flags";
import { PROGRAMS } from "../stack/programs";

const read = (file: string) => readFileSync(file, "utf8");
const guide = read("docs/guides/self-hosting.md");
const units = Object.fromEntries(
  readdirSync("deploy/systemd").map((name) => [name, read(path.join("deploy/systemd", name))]),
);
const services = Object.entries(units).filter(([name]) => name.endsWith(".service"));
const nginx = read("deploy/proxy/nginx.conf");
const caddy = read("deploy/proxy/Caddyfile");

/** All values of a setting of a unit. */
const valuesOf = (unit: string, name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, v]) => v);

/** The variables in the guide's example, with values where it leaves them out. */
const example = Object.fromEntries(
  [...guide.matchAll(/^export (\w+)=(\S+)$/gm)].flatMap(([, name = "", value = ""]) => {
    if (name.endsWith("_KMS") || name.startsWith("AWS_") || name === "ANCHOR_KMS_KEY") return [];
    if (value === "…")
      return [[name, /BLOCK/.test(name) ? "1" : execFileSync("openssl", ["rand", "-hex", "32"]).toString().trim()]];
    return [[name, value.replace("0x…", `0x${"1".repeat(40)}`)]];
  }),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "halcyon-self-hosting-"));
});
afterAll(() => removeFolder(folder));

describe("docs/guides/self-hosting.md", () => {
  it("sets all that a process needs", () => {
    expect(parseEnv(example)).toMatchObject({ host: "0.0.0.0", origin: "https://pay.example.com", trustedProxies: 1 });
  });

  it("names only commands that there are", () => {
    const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
    const named = readdirSync("docs/guides").flatMap((file) =>
      [...read(`docs/guides/${file}`).matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name),
    );
    expect(named).toEqual(expect.arrayContaining(["deploy", "backup", "web"]));
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it("starts only units that there are, with the files that they read", () => {
    const commands = /```bash norun: root of a machine[^\n]*\n([^`]+)/.exec(guide)?.[1] ?? "";
    const started = [...commands.matchAll(/halcyon-[\w@.]+/g)].map(([name]) => name.replace(/@\d+/, "@"));
    const names = Object.keys(units);
    expect(started.length).toBeGreaterThan(4);
    expect(started.filter((one) => !names.includes(one) && !names.includes(`${one}.service`))).toEqual([]);
    for (const [name, unit] of services) {
      for (const file of valuesOf(unit, "EnvironmentFile")) expect(guide, name).toContain(`\`${file}\``);
    }
  });
});

describe("deploy/systemd", () => {
  it("runs programs that there are, each with its own secrets, and lets them stop in peace", () => {
    const { shutdown } = parseEnv(example);
    for (const [name, unit] of services) {
      const [start = ""] = valuesOf(unit, "ExecStart");
      const program = /scripts\/serve\.mjs (\w+)$/.exec(start)?.[1] ?? "";
      expect(Object.keys(PROGRAMS), name).toContain(program);
      const runs = program === "web" || program === "worker";
      if (runs) {
        expect(start, name).toBe(`/usr/bin/node ${NODE_FLAGS.join(" ")} scripts/serve.mjs ${program}`);
        expect(Number(valuesOf(unit, "TimeoutStopSec")[0]) * 1000).toBeGreaterThanOrEqual(
          shutdown.noticeMs + shutdown.drainMs + 10_000,
        );
      }
      const own = { web: ["web"], worker: [], migrate: ["owner"], maintain: ["owner"] }[program];
      expect(valuesOf(unit, "EnvironmentFile"), name).toEqual(
        ["service", ...(own ?? [])].map((file) => `/etc/halcyon/${file}.env`),
      );
      expect(unit, name).toContain("\nNoNewPrivileges=yes\nCapabilityBoundingSet=\nProtectSystem=strict\n");
      expect(valuesOf(unit, "User"), name).toEqual(["halcyon"]);
    }
  });

  it.skipIf(spawnSync("systemd-analyze").error !== undefined)("passes systemd-analyze", () => {
    cpSync("deploy/systemd", folder, { recursive: true });
    for (const [name, unit] of services) {
      writeFileSync(path.join(folder, name), unit.replace("/usr/bin/node", process.execPath));
    }
    const files = Object.keys(units).map((name) => path.join(folder, name.replace("@", "@3000")));
    const { stderr } = spawnSync("systemd-analyze", ["verify", ...files], { encoding: "utf8" });
    expect(stderr.split("\n").filter((line) => line.includes("halcyon"))).toEqual([]);
  });
});

describe("deploy/proxy", () => {
  it("leads to the web processes of the guide, with the client's address, nothing held back and bodies of payouts", () => {
    for (const [config, address] of [
      [nginx, /server (127\.0\.0\.1:\d+)/g],
      [caddy, /(?<=reverse_proxy.*)(127\.0\.0\.1:\d+)/g],
    ] as const) {
      const ports = [...config.matchAll(address)].map(([, one = ""]) => one.replace("127.0.0.1:", ""));
      expect(ports).toEqual(
        [...guide.matchAll(/halcyon-web@(\d+)(?= halcyon|\n)/g)].map(([, port]) => port).slice(0, 2),
      );
      // The service has to close its connections later than the proxy does.
      expect(Number(/keepalive(?:_timeout)? (\d+)s/.exec(config)?.[1]) * 1000).toBeLessThan(
        WEB_SERVER_LIMITS.keepAliveMs,
      );
    }
    expect(nginx).toContain("proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;");
    expect(nginx).toContain("proxy_buffering off;");
    expect(caddy).toContain("flush_interval -1");
    // The largest body in docs/limits.md.
    const sizes = [...read("docs/limits.md").matchAll(/\| (\d+) MiB/g)].map(([, size]) => Number(size));
    expect(Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1])).toBeGreaterThan(Math.max(...sizes));
  });

  it.skipIf(spawnSync("nginx", ["-v"]).error !== undefined)("passes nginx -t", () => {
    const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
    const make = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=pay.example.com"];
    execFileSync("openssl", [...make, "-keyout", key, "-out", certificate], { stdio: "ignore" });
    const site = nginx
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
      .replace(/listen (\[::\]:)?(\d+)/g, "listen 127.0.0.1:2$2")
      // One of each: without IPv6 they would be the same.
      .replace(/(listen 127[^;]*;)\s+\1/g, "$1");
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (one) => `${one}_temp_path ${folder}/${one};`,
    );
    const main = `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(" ")}\n${site}}`;
    writeFileSync(path.join(folder, "nginx.conf"), main);
    const { status, stderr } = spawnSync("nginx", ["-t", "-p", folder, "-c", path.join(folder, "nginx.conf")], {
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
  });

  it.skipIf(spawnSync("caddy", ["version"]).error !== undefined)("passes caddy validate", () => {
    const args = ["validate", "--adapter", "caddyfile", "--config", "deploy/proxy/Caddyfile"];
    const { status, stderr } = spawnSync("caddy", args, { encoding: "utf8", env: { ...process.env, HOME: folder } });
    expect(status, stderr).toBe(0);
  });
});
