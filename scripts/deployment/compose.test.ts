import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseEnv, requireWebSecrets } from "@/lib/base/env";
import { PROGRAMS } from "../stack/programs";

interface Service {
  image?: string;
  command?: string[];
  entrypoint?: string[];
  env_file?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  networks?: string[];
  volumes?: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  depends_on?: string[] | Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes?: Record<string, object>;
  secrets: Record<string, { file: string }>;
}

const read = (file: string) => readFileSync(file, "utf8");
const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
const configuration = read("docs/configuration.md");
const MOUNTED = "/run/secrets/";

const { services } = compose;
const ours = Object.entries(services).filter(([, { image }]) => image === "halcyon");

/** The variables of a file of settings. */
const settingsOf = (file: string): Record<string, string> =>
  Object.fromEntries(
    read(file)
      .split("\n")
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

/** The image's own variables. */
const image = Object.fromEntries(
  [...(/^ENV (NODE_ENV.*)$/m.exec(read("Dockerfile"))?.[1] ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, k, v]) => [k, v]),
);

let folder: string;
/** The files that the scripts of deploy/compose make, as a container sees them. */
const fileOf = (secret: string) =>
  path.join(folder, path.relative("deploy/compose", compose.secrets[secret]?.file ?? ""));

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "halcyon-compose-"));
  cpSync("deploy/compose/make-secrets.sh", path.join(folder, "make-secrets.sh"));
  execFileSync("sh", [path.join(folder, "make-secrets.sh"), "https://test.example", "https://live.example"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the variables that a process of a service sees. Its secrets' files are those that the scripts made. */
function environmentOf({
  env_file: file,
  environment = {},
  secrets = [],
}: Service): Record<string, string | undefined> {
  const own = Object.entries(environment).map(([name, value]) => {
    if (!value.startsWith(MOUNTED)) return [name, value] as const;
    const secret = value.slice(MOUNTED.length);
    expect(secrets, name).toContain(secret);
    return [name, fileOf(secret)] as const;
  });
  return { ...image, ...(file ? settingsOf(file) : {}), ...Object.fromEntries(own) };
}

describe("compose.yaml", () => {
  it("run our programs on disks that are read only, without rights, and let them stop in peace", () => {
    expect(ours.map(([name]) => name).sort()).toEqual(["maintain", "migrate", "web", "worker"]);
    for (const [name, service] of ours) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        stop_grace_period: "45s",
      });
      const [program = ""] = service.command ?? [
        /serve\.mjs (\S+?);/.exec(service.entrypoint?.at(-1) ?? "")?.[1] ?? "",
      ];
      expect(Object.keys(PROGRAMS), name).toContain(program);
    }
    const { shutdown } = parseEnv(environmentOf(services.web as Service));
    expect(45_000).toBeGreaterThanOrEqual(shutdown.noticeMs + shutdown.drainMs + 10_000);
  });

  it("declare each secret, network and volume that a service names, and name each that they declare", () => {
    const named = (what: "secrets" | "networks") => [
      ...new Set(Object.values(services).flatMap((service) => service[what] ?? [])),
    ];
    expect(named("secrets").sort()).toEqual(Object.keys(compose.secrets).sort());
    expect(named("networks").sort()).toEqual(Object.keys(compose.networks).sort());
    const mounts = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((one) => one.split(":")[0] ?? ""));
    const kept = mounts.filter((mount) => !mount.startsWith("./"));
    expect(kept).toEqual(Object.keys(compose.volumes ?? {}));
    for (const mount of mounts.filter((one) => one.startsWith("./"))) expect(read(mount).length).toBeGreaterThan(0);
  });

  it("give each service the secrets that its variables name, and no others", () => {
    for (const [name, { environment = {}, secrets = [], volumes = [] }] of Object.entries(services)) {
      const files = Object.values(environment).filter((value) => value.startsWith(MOUNTED));
      // PostgreSQL's script reads one more.
      const script = volumes
        .map((one) => one.split(":")[0] ?? "")
        .flatMap((file) => (file.endsWith(".sh") ? (read(file).match(/\/run\/secrets\/[\w-]+/g) ?? []) : []));
      expect([...files, ...script].map((file) => file.slice(MOUNTED.length)).sort(), name).toEqual(secrets.toSorted());
      for (const [variable, value] of Object.entries(environment)) {
        expect(variable.endsWith("_FILE"), variable).toBe(value.startsWith(MOUNTED));
      }
    }
    expect(services.worker?.secrets?.join()).not.toMatch(/pepper|nextauth|migration/);
    expect(services.web?.secrets?.join()).not.toMatch(/migration|postgres/);
  });

  it("get every secret from the scripts that make them", () => {
    for (const secret of Object.keys(compose.secrets)) expect(read(fileOf(secret)).length, secret).toBeGreaterThan(16);
    const created = readdirSync(path.join(folder, "secrets")).map((file) => `./deploy/compose/secrets/${file}`);
    expect(created.sort()).toEqual(
      Object.values(compose.secrets)
        .map(({ file }) => file)
        .sort(),
    );
  });

  it("set only variables that docs/configuration.md lists, and all that a process needs", () => {
    for (const [, service] of ours) {
      for (const variable of Object.keys(environmentOf(service))) {
        const plain = variable.replace(/_FILE$/, "");
        if (plain !== "NODE_ENV") expect(configuration, variable).toContain(`\`${plain}\``);
      }
    }
    const [web, worker] = [
      parseEnv(environmentOf(services.web as Service)),
      parseEnv(environmentOf(services.worker as Service)),
    ];
    requireWebSecrets(web);
    expect(() => worker.serverPepper).toThrow();
    expect(web).toMatchObject({ host: "0.0.0.0", port: 3000, trustedProxies: 1 });
  });

  it("wait for services that they have, and ask each for its health where it serves it", () => {
    for (const [name, { depends_on: needs = [] }] of Object.entries(services)) {
      const waited = Array.isArray(needs) ? needs : Object.keys(needs);
      expect(
        waited.filter((one) => !(one in services)),
        name,
      ).toEqual([]);
      for (const [one, { condition }] of Array.isArray(needs) ? [] : Object.entries(needs)) {
        const { healthcheck, command } = services[one] as Service;
        if (condition === "service_healthy") expect(healthcheck, one).toBeDefined();
        else expect([condition, command]).toEqual(["service_completed_successfully", ["migrate"]]);
      }
    }
    for (const [name, { environment = {}, healthcheck }] of ours) {
      const port = environment.HEALTH_PORT ?? environment.PORT;
      if (port) expect(healthcheck?.test.join(" "), name).toContain(`http://127.0.0.1:${port}/healthz`);
    }
  });
});

describe("deploy/compose/haproxy.cfg", () => {
  it("leads to web processes that are ready, on the ports that Compose opens", () => {
    const config = read("deploy/compose/haproxy.cfg");
    const { web, proxy } = compose.services;
    expect(config).toContain(` web:${web?.environment?.PORT}\n`);
    expect(proxy?.ports).toEqual([`127.0.0.1:3000:${/bind :(\d+)/.exec(config)?.[1]}`]);
    expect(proxy).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(web?.networks).toEqual(expect.arrayContaining(proxy?.networks ?? [""]));
    expect(config).toContain("option httpchk GET /readyz\n");
    // The address that web takes for the client's is the one that the proxy adds.
    expect(config).toContain("option forwardfor\n");
    expect(web?.environment?.TRUSTED_PROXIES).toBe("1");
    // No request is sent twice, whatever its method.
    expect(config).toContain("retry-on conn-failure\n");
  });
});
