import { beforeAll, describe, expect, it } from "vitest";
import { lintManifests } from "./lint-manifests";
import { type Container, type Manifest, mayNotRender, render } from "./manifest";
import { schemaErrors } from "./schema-errors";

const skipped = mayNotRender();
let rendered: Manifest[];
beforeAll(() => {
  if (!skipped) rendered = render("deploy/kubernetes/overlays/production");
});

/** Returns a copy of the manifests in which one is different. */
function changed(name: string, change: (manifest: Manifest, container: Container) => void): Manifest[] {
  const copy = structuredClone(rendered);
  const found = copy.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name);
  if (!found) throw new Error(`There is no ${name}`);
  change(found, found.spec?.template?.spec.containers[0] as Container);
  return copy;
}

const WEB = "Deployment halcyon-web";
const other = { matchLabels: { "app.kubernetes.io/name": "halcyon-wep" } };
type Change = (manifest: Manifest, container: Container) => void;

const FAULTS: [name: string, change: Change, fault: string | RegExp][] = [
  [WEB, ({ metadata }) => (metadata.name = "halcyon_web"), /is not a DNS label/],
  [WEB, ({ metadata }) => (metadata.name = "w".repeat(64)), /is not a DNS label/],
  ["CronJob halcyon-maintain", ({ metadata }) => (metadata.name = "m".repeat(53)), /at most 52/],
  [WEB, ({ spec }) => Object.assign(spec ?? {}, { selector: other }), "does not select its pods"],
  [WEB, ({ spec }) => Object.assign(spec ?? {}, { replicas: 2 }), /sets replicas/],
  ["Service halcyon-web", ({ spec }) => Object.assign(spec ?? {}, { selector: other.matchLabels }), "0 workloads"],
  ["Service halcyon-web", ({ spec }) => Object.assign(spec?.ports?.[0] ?? {}, { targetPort: "https" }), "port https"],
  ["PodDisruptionBudget halcyon-web", ({ spec }) => Object.assign(spec ?? {}, { selector: other }), "0 workloads"],
  ["PodDisruptionBudget halcyon-web", ({ spec }) => Object.assign(spec ?? {}, { selector: {} }), "0 workloads"],
  ["HorizontalPodAutoscaler halcyon-web", ({ spec }) => Object.assign(spec ?? {}, { maxReplicas: 1 }), /minimum above/],
  [
    "HorizontalPodAutoscaler halcyon-web",
    ({ spec }) => Object.assign(spec?.scaleTargetRef ?? {}, { name: "halcyon-wep" }),
    /has no autoscaler[\s\S]*which is not there/,
  ],
  ["NetworkPolicy halcyon-web", ({ spec }) => Object.assign(spec ?? {}, { podSelector: other }), "selects no pods"],
  [
    "NetworkPolicy halcyon-web",
    ({ spec }) => Object.assign(spec?.ingress?.[0] ?? {}, { ports: [{ port: "htp" }] }),
    "allows port htp",
  ],
  [
    "NetworkPolicy halcyon-public-https",
    ({ spec }) => Object.assign(spec?.egress?.[0]?.to?.[0] ?? {}, { ipBlock: { cidr: "0.0.0.0/33" } }),
    "0.0.0.0/33",
  ],
  [
    "NetworkPolicy halcyon-names-and-database",
    ({ spec }) => Object.assign(spec ?? {}, { policyTypes: ["Ingress"] }),
    /Job halcyon-migrate: no network policy bounds its Egress/,
  ],
  ["ServiceAccount halcyon", ({ metadata }) => (metadata.name = "halcyonn"), "has no service account"],
  ["CronJob halcyon-maintain", ({ spec }) => Object.assign(spec ?? {}, { schedule: "17 4 * *" }), /five fields/],
  [WEB, ({ spec }) => Object.assign(spec?.template?.spec ?? {}, { securityContext: {} }), /may run as root/],
  [WEB, ({ spec }) => Object.assign(spec?.template?.spec ?? {}, { hostNetwork: true }), /namespace of its node/],
  [WEB, ({ spec }) => Object.assign(spec?.template?.spec ?? {}, { automountServiceAccountToken: true }), "a token"],
  ["Job halcyon-migrate", ({ spec }) => Object.assign(spec?.template?.spec ?? {}, { restartPolicy: "" }), /restart/],
  [
    WEB,
    (_, container) => delete container.resources,
    /requests no cpu[\s\S]*requests no memory[\s\S]*no limit of memory/,
  ],
  [
    WEB,
    (_, { resources }) => Object.assign(resources?.limits ?? {}, { memory: "700Mi" }),
    "more memory than its limit",
  ],
  [WEB, (_, { securityContext }) => delete securityContext?.allowPrivilegeEscalation, "may gain rights"],
  [WEB, (_, { securityContext }) => Object.assign(securityContext ?? {}, { privileged: true }), "may gain rights"],
  [WEB, (_, { securityContext }) => delete securityContext?.readOnlyRootFilesystem, "may write to its disk"],
  [WEB, (_, { securityContext }) => delete securityContext?.capabilities, "has capabilities"],
  [WEB, (_, container) => delete container.readinessProbe, "lacks a probe"],
  [WEB, (_, { livenessProbe }) => Object.assign(livenessProbe?.httpGet ?? {}, { port: "health" }), "probed at health"],
  [WEB, (_, { env }) => env?.push({ name: "PORT", value: "1" }), "sets PORT twice"],
  [WEB, (_, { envFrom }) => Object.assign(envFrom?.[0] ?? {}, { configMapRef: { name: "x" } }), "reads settings x"],
  [WEB, (_, { volumeMounts }) => Object.assign(volumeMounts?.[0] ?? {}, { name: "x" }), "mounts x"],
  [WEB, (_, { volumeMounts }) => Object.assign(volumeMounts?.[0] ?? {}, { readOnly: false }), "write to its secret"],
];

describe.skipIf(skipped)("the linter of manifests", () => {
  it.each(FAULTS)("finds a fault in %s (%#)", (name, change, fault) => {
    expect(lintManifests(changed(name, change)).join("\n")).toMatch(fault);
  });

  it("finds what is there twice", () => {
    expect(lintManifests([...rendered, ...rendered.slice(-1)]).join("\n")).toMatch(/: twice$/);
  });
});

describe.skipIf(skipped)("Kubernetes' schema", () => {
  const SCHEMA: [name: string, change: Change, fault: string | RegExp][] = [
    [WEB, ({ spec }) => delete spec?.selector, "must have required property selector"],
    [WEB, (_, container) => delete (container as { name?: string }).name, "must have required property name"],
    [WEB, (_, { resources }) => Object.assign(resources?.requests ?? {}, { cpu: "2 cores" }), 'format "quantity"'],
    [WEB, (_, { ports }) => Object.assign(ports?.[0] ?? {}, { containerPort: "http" }), "must be integer"],
    ["Job halcyon-migrate", ({ spec }) => delete spec?.template, "must have required property template"],
    ["HorizontalPodAutoscaler halcyon-web", ({ spec }) => delete spec?.scaleTargetRef, "required property scaleTarget"],
    [WEB, (manifest) => (manifest.apiVersion = "apps/v2"), "no Deployment in apps/v2"],
  ];

  it.each(SCHEMA)("refuses a wrong %s (%#)", async (name, change, fault) => {
    const errors = await Promise.all(changed(name, change).map(schemaErrors));
    expect(errors.flat().join("\n")).toMatch(fault);
  });
});
