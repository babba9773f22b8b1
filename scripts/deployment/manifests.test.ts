import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseEnv, requireWebSecrets } from "@/lib/base/env";
import { secretOf } from "@/test/services/local-env";
import { PROGRAMS } from "../stack/programs";
import { lintManifests } from "./lint-manifests";
import { type Container, type Manifest, mayNotRender, parseManifests, render, workloadsOf } from "./manifest";
import { schemaErrors } from "./schema-errors";

const BASE = "deploy/kubernetes/base";
const OVERLAYS = ["staging", "production"] as const;
const skipped = mayNotRender();

const base = readdirSync(BASE)
  .filter((file) => file.endsWith(".yaml") && file !== "kustomization.yaml")
  .flatMap((file) => parseManifests(readFileSync(path.join(BASE, file), "utf8")));

/** Checks rendered manifests: their fields, Kubernetes' schema, and what they name. */
async function expectRight(manifests: Manifest[]): Promise<void> {
  expect(typeErrors(manifests)).toBe("");
  expect((await Promise.all(manifests.map(schemaErrors))).flat()).toEqual([]);
  expect(lintManifests(manifests)).toEqual([]);
}

/** Modules of kubernetes-types that contain the type of a manifest, by API group. */
const TYPES: Record<string, string> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "batch/v1": "batch/v1",
  "policy/v1": "policy/v1",
  "autoscaling/v2": "autoscaling/v2",
  "networking.k8s.io/v1": "networking/v1",
};

mkdirSync(".cache", { recursive: true });
const folder = mkdtempSync(path.resolve(".cache", "manifests-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns type errors of the manifests, such as a misspelled field or a wrong type. */
function typeErrors(manifests: Manifest[]): string {
  const lines = manifests.flatMap((manifest, n) => {
    const module = TYPES[manifest.apiVersion];
    if (!module) throw new Error(`No type of ${manifest.apiVersion} ${manifest.kind}`);
    const text = JSON.stringify(manifest);
    return [
      `import type { ${manifest.kind} as T${n} } from "kubernetes-types/${module}";`,
      `export const m${n}: T${n} = ${text};`,
    ];
  });
  writeFileSync(path.join(folder, "manifests.ts"), `${lines.join("\n")}\n`);
  writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: "esnext",
        moduleResolution: "bundler",
        types: [],
      },
      files: ["manifests.ts"],
    }),
  );
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  return spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" }).stdout.trim();
}

describe("deploy/kubernetes/base", () => {
  it("has only fields of the API's types", () => {
    expect(typeErrors(base)).toBe("");
    const deployment = base.find(({ kind }) => kind === "Deployment");
    const wrong = { ...deployment, spec: { ...deployment?.spec, replica: 2 } } as Manifest;
    expect(typeErrors([wrong])).toContain("replica");
  });

  it.skipIf(skipped)("renders with kubectl kustomize to what Kubernetes takes", () => expectRight(render(BASE)));

  it("starts programs that a build has, as a user without rights on a disk that is read only", () => {
    const pods = workloadsOf(base);
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual([
      "halcyon-maintain",
      "halcyon-migrate",
      "halcyon-web",
      "halcyon-worker",
    ]);
    for (const { spec } of pods) {
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10001,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const container of spec.containers) {
        expect(Object.keys(PROGRAMS)).toContain(container.args?.[0]);
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
      }
    }
  });

  it("starts maintenance again when its node is drained, and not when it failed", () => {
    const maintain = base.find(({ metadata }) => metadata.name === "halcyon-maintain");
    expect(maintain?.spec?.jobTemplate?.spec).toMatchObject({
      backoffLimit: 0,
      podFailurePolicy: {
        rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }],
      },
      template: { spec: { restartPolicy: "Never" } },
    });
  });

  it("probes paths that processes serve, on ports that they open, and waits for as long as a stop takes", () => {
    for (const { spec, metadata } of workloadsOf(base).filter(({ kind }) => kind === "Deployment")) {
      const [container] = spec.containers as [Container];
      const port = new Map(container.ports?.map((one) => [one.name, String(one.containerPort)]));
      const variable = metadata.name === "halcyon-web" ? "PORT" : "HEALTH_PORT";
      const own = container.env?.find(({ name }) => name === variable)?.value;
      const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      expect(probes.map((probe) => probe?.httpGet?.path)).toEqual(["/healthz", "/healthz", "/readyz"]);
      for (const probe of probes) expect(port.get(String(probe?.httpGet?.port))).toBe(own);
      expect(port.get("metrics")).toBe(settings().METRICS_PORT);
      const { SHUTDOWN_NOTICE_SECONDS: notice, SHUTDOWN_DRAIN_SECONDS: drain } = settings();
      expect(spec.terminationGracePeriodSeconds).toBe(Number(notice) + Number(drain) + 10);
    }
  });

  it("mounts every file that a variable names, and gives a worker no secret of web", () => {
    for (const { spec } of workloadsOf(base)) {
      const files = spec.containers.flatMap(({ env = [] }) => env.filter(({ name }) => name.endsWith("_FILE")));
      expect(files.length).toBeGreaterThan(1);
      for (const { value } of files) {
        const mount = spec.containers[0]?.volumeMounts?.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
        const volume = spec.volumes?.find(({ name }) => name === mount?.name);
        expect(volume?.secret?.items.map((item) => `${mount?.mountPath}/${item.path}`)).toContain(value);
      }
    }
    const worker = workloadsOf(base).find(({ metadata }) => metadata.name === "halcyon-worker");
    expect(JSON.stringify(worker)).not.toMatch(/pepper|nextauth|migration/);
  });
});

function settings(overlay?: string): Record<string, string> {
  const file = (name: string) =>
    readFileSync(name, "utf8")
      .split("\n")
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const);
  const own = overlay ? file(`deploy/kubernetes/overlays/${overlay}/settings.env`) : [];
  return Object.fromEntries([...file(`${BASE}/settings.env`), ...own]);
}

describe.each(OVERLAYS)("deploy/kubernetes/overlays/%s", (overlay) => {
  it("gives web and worker a complete environment, whose variables docs/configuration.md lists", () => {
    const documented = readFileSync("docs/configuration.md", "utf8");
    const values: Record<string, string> = {
      DATABASE_URL: "postgres://halcyon_app:x@db/halcyon",
      RPC_URL_46630: "https://test.example",
      RPC_URL_4663: "https://live.example",
      RELAYER_SEED: secretOf("RELAYER_SEED"),
      SECRETS_KEY: secretOf("SECRETS_KEY"),
      SERVER_PEPPER: secretOf("SERVER_PEPPER"),
      NEXTAUTH_SECRET: secretOf("NEXTAUTH_SECRET"),
    };
    for (const { spec, metadata } of workloadsOf(base).filter(({ kind }) => kind === "Deployment")) {
      const env: Record<string, string> = { ...settings(overlay), NODE_ENV: "production" };
      for (const { name, value } of spec.containers[0]?.env ?? []) {
        const plain = name.replace(/_FILE$/, "");
        if (plain === name) env[name] = value;
        else env[plain] = values[plain] ?? "";
      }
      for (const name of Object.keys(env)) if (name !== "NODE_ENV") expect(documented).toContain(`\`${name}\``);
      const parsed = parseEnv(env);
      if (metadata.name === "halcyon-web") requireWebSecrets(parsed);
      else expect(() => parsed.serverPepper).toThrow();
    }
  });

  it.skipIf(skipped)("renders with kubectl kustomize to what Kubernetes takes, in one namespace", async () => {
    const manifests = render(`deploy/kubernetes/overlays/${overlay}`);
    await expectRight(manifests);
    expect(manifests.length).toBeGreaterThan(10);
    const map = manifests.find(({ kind }) => kind === "ConfigMap");
    for (const { spec } of workloadsOf(manifests)) {
      for (const { image, envFrom = [] } of spec.containers) {
        expect(image).toBe("registry.example.com/halcyon:0.1.0");
        for (const { configMapRef } of envFrom) expect(configMapRef.name).toBe(map?.metadata.name);
      }
    }
    expect(map?.data).toEqual(settings(overlay));
    const namespaced = manifests.filter(({ kind }) => kind !== "Namespace");
    expect(new Set(namespaced.map(({ metadata }) => metadata.namespace))).toEqual(new Set([`halcyon-${overlay}`]));
  });
});
