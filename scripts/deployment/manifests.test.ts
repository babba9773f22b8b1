import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseEnv, parseProverEnv, requireWebSecrets } from "@/lib/env";
import { secretOf } from "@/test/services/local-env";
import { PROGRAMS } from "../stack/programs";

interface Container {
  name: string;
  args: string[];
  image: string;
  env?: { name: string; value: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string }[];
  securityContext: object;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
}
interface Probe {
  httpGet: { path: string; port: string };
}
interface Pod {
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; secret: { items: { path: string }[] } }[];
}
interface Template {
  spec: Pod;
  metadata: { labels: Record<string, string> };
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: { template?: Template; jobTemplate?: { spec: { template: Template } } };
}

const BASE = "deploy/kubernetes/base";
const OVERLAYS = ["staging", "production"] as const;
/** A newer kubectl than Debian's; CI says so when it has none. */
const kubectl = (...args: string[]) => spawnSync("kubectl", args, { encoding: "utf8" });
const rendered = kubectl("kustomize", BASE).status === 0;

const parseAll = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const base = readdirSync(BASE)
  .filter((file) => file.endsWith(".yaml") && file !== "kustomization.yaml")
  .flatMap((file) => parseAll(readFileSync(path.join(BASE, file), "utf8")));

function render(overlay: string): Manifest[] {
  const { status, stdout, stderr } = kubectl("kustomize", `deploy/kubernetes/overlays/${overlay}`);
  expect(status, stderr).toBe(0);
  return parseAll(stdout);
}

const podsOf = (manifests: Manifest[]) =>
  manifests.flatMap(({ kind, metadata, spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template;
    return template ? [{ kind, metadata, spec: template.spec }] : [];
  });

/** Where the API's type of a manifest is in kubernetes-types. */
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

/** What the compiler says of manifests as values of the API's types: a field that is misspelled or of another type. */
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

  it("starts programs that a build has, as a user without rights on a disk that is read only", () => {
    const pods = podsOf(base);
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
        expect(Object.keys(PROGRAMS)).toContain(container.args[0]);
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
      }
    }
  });

  it("probes paths that processes serve, on ports that they open, and waits for as long as a stop takes", () => {
    for (const { spec, metadata } of podsOf(base).filter(({ kind }) => kind === "Deployment")) {
      const [container] = spec.containers as [Container];
      const port = new Map(container.ports?.map((one) => [one.name, String(one.containerPort)]));
      const variable = metadata.name === "halcyon-web" ? "PORT" : "HEALTH_PORT";
      const own = container.env?.find(({ name }) => name === variable)?.value;
      const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      expect(probes.map((probe) => probe?.httpGet.path)).toEqual(["/healthz", "/healthz", "/readyz"]);
      for (const probe of probes) expect(port.get(probe?.httpGet.port ?? "")).toBe(own);
      expect(port.get("metrics")).toBe(settings().METRICS_PORT);
      const { SHUTDOWN_NOTICE_SECONDS: notice, SHUTDOWN_DRAIN_SECONDS: drain } = settings();
      expect(spec.terminationGracePeriodSeconds).toBe(Number(notice) + Number(drain) + 10);
    }
  });

  it("mounts every file that a variable names, and gives a worker no secret of web", () => {
    for (const { spec } of podsOf(base)) {
      const files = spec.containers.flatMap(({ env = [] }) => env.filter(({ name }) => name.endsWith("_FILE")));
      expect(files.length).toBeGreaterThan(1);
      for (const { value } of files) {
        const mount = spec.containers[0]?.volumeMounts.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
        const volume = spec.volumes.find(({ name }) => name === mount?.name);
        expect(volume?.secret.items.map((item) => `${mount?.mountPath}/${item.path}`)).toContain(value);
      }
    }
    const worker = podsOf(base).find(({ metadata }) => metadata.name === "halcyon-worker");
    expect(JSON.stringify(worker)).not.toMatch(/pepper|nextauth|migration/);
  });
});

describe("deploy/kubernetes/components/prover", () => {
  const COMPONENT = "deploy/kubernetes/components/prover";
  const own = ["prover", "network-policies"].flatMap((file) =>
    parseAll(readFileSync(`${COMPONENT}/${file}.yaml`, "utf8")),
  );
  const [prover] = podsOf(own);

  it("has only fields of the API's types", () => {
    expect(typeErrors(own)).toBe("");
  });

  it("is as bare as the rest, knows no secret of the service, and reaches nothing", () => {
    const web = podsOf(base).find(({ metadata }) => metadata.name === "halcyon-web");
    const [container, webContainer] = [prover?.spec.containers[0], web?.spec.containers[0]];
    expect(prover?.spec.securityContext).toEqual(web?.spec.securityContext);
    expect(container?.securityContext).toEqual(webContainer?.securityContext);
    expect(Object.keys(PROGRAMS)).toContain(container?.args[0]);
    expect(JSON.stringify(own)).not.toMatch(/halcyon-secrets|halcyon-migration|signing-key|part-of/);
    const policy = own.find(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === "halcyon-prover");
    expect(policy?.spec).toMatchObject({ policyTypes: ["Ingress", "Egress"], egress: [] });
  });

  it("gives a prover a complete environment", () => {
    const files = `test/services/prover-tls`;
    const { publicKey } = generateKeyPairSync("ed25519");
    const values: Record<string, string> = {
      PROVER_TLS_CA: readFileSync(`${files}/authority.pem`, "utf8"),
      PROVER_TLS_CERT: readFileSync(`${files}/prover.pem`, "utf8"),
      PROVER_TLS_KEY: readFileSync(`${files}/prover-key.pem`, "utf8"),
      PROVER_SIGNER: String(publicKey.export({ type: "spki", format: "pem" })),
    };
    const variables = (prover?.spec.containers[0]?.env ?? []).map(({ name, value }) => {
      const plain = name.replace(/_FILE$/, "");
      return [plain, plain === name ? value : values[plain]] as const;
    });
    const parsed = parseProverEnv({ ...settings("production"), ...Object.fromEntries(variables) });
    expect(parsed).toMatchObject({ port: 8443, healthPort: 8080, workers: 2, host: "0.0.0.0" });
    const documented = readFileSync("docs/configuration.md", "utf8");
    for (const [name] of variables) expect(documented).toContain(`\`${name}\``);
  });

  it.skipIf(!rendered)("added to an overlay, leads its servers to it with files of its secret", () => {
    const overlay = mkdtempSync(path.resolve("deploy", "kubernetes", "overlays", "with-provers-"));
    try {
      const kustomization = {
        resources: ["../production"],
        components: ["../../components/prover"],
        apiVersion: "kustomize.config.k8s.io/v1beta1",
        kind: "Kustomization",
      };
      writeFileSync(path.join(overlay, "kustomization.yaml"), JSON.stringify(kustomization));
      const manifests = render(path.basename(overlay));
      expect(typeErrors(manifests)).toBe("");
      for (const name of ["halcyon-web", "halcyon-worker"]) {
        const pod = podsOf(manifests).find(({ metadata }) => metadata.name === name)?.spec;
        const [container] = pod?.containers ?? [];
        expect(container?.env?.find((one) => one.name === "PROVER_URL")?.value).toBe("https://halcyon-prover:8443");
        const mounted = pod?.volumes.find((volume) => volume.name === "prover")?.secret.items.map((item) => item.path);
        const files = container?.env?.filter((one) => one.value?.startsWith("/run/secrets/halcyon-prover/")) ?? [];
        expect(files.map(({ value }) => path.basename(value)).toSorted()).toEqual(mounted?.toSorted());
      }
    } finally {
      rmSync(overlay, { recursive: true });
    }
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
    for (const { spec, metadata } of podsOf(base).filter(({ kind }) => kind === "Deployment")) {
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

  it.skipIf(!rendered)("renders with kubectl kustomize, to fields of the API's types, in one namespace", () => {
    const manifests = render(overlay);
    expect(typeErrors(manifests)).toBe("");
    expect(manifests.length).toBeGreaterThan(10);
    const map = manifests.find(({ kind }) => kind === "ConfigMap");
    for (const { spec } of podsOf(manifests)) {
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
