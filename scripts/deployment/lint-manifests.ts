import { isIP } from "node:net";
import type { Container, Labels, Manifest, Rule, Selector, Workload } from "./manifest";
import { workloadsOf } from "./manifest";

/**
 * Returns what is wrong with rendered manifests although each field is right: what selects nothing, names that are not
 * there, and containers with more rights or fewer bounds than ours have.
 */
export function lintManifests(manifests: Manifest[]): string[] {
  const workloads = workloadsOf(manifests);
  return [
    ...manifests.flatMap((manifest) => about(manifest, [...nameFaults(manifest), ...kindFaults(manifest, manifests)])),
    ...workloads.flatMap((workload) => about(workload, podFaults(workload, manifests))),
    ...repeated(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).map((name) => `${name}: twice`),
    ...workloads.flatMap((workload) => about(workload, isolationFaults(workload, manifests))),
  ];
}

const about = ({ kind, metadata }: Pick<Manifest, "kind" | "metadata">, faults: string[]) =>
  faults.map((fault) => `${kind} ${metadata.name}: ${fault}`);

const repeated = (names: string[]) => [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];

/** Names are labels of DNS. Kubernetes appends to those of cron jobs. */
function nameFaults({ kind, metadata }: Manifest): string[] {
  const longest = kind === "CronJob" ? 52 : 63;
  const isName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(metadata.name) && metadata.name.length <= longest;
  const values = Object.values(metadata.labels ?? {});
  return [
    ...(isName ? [] : [`its name is not a DNS label of at most ${longest} characters`]),
    ...values.filter((value) => value.length > 63).map((value) => `the label ${value} is too long`),
  ];
}

/** Returns whether a selector selects labels. */
function selects(selector: Selector | undefined, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === "In") return value !== undefined && values.includes(value);
      if (operator === "NotIn") return value === undefined || !values.includes(value);
      return (operator === "Exists") === (value !== undefined);
    })
  );
}

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: Selector = {}) =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

const opens = ({ spec }: Workload, port: string | number) =>
  spec.containers.some(({ ports = [] }) => ports.some((own) => own.name === port || own.containerPort === port));

function kindFaults(manifest: Manifest, manifests: Manifest[]): string[] {
  const workloads = workloadsOf(manifests);
  const { kind, spec = {} } = manifest;
  if (kind === "Deployment") {
    const { selector, template, replicas } = spec;
    return [
      ...(!isEmpty(selector) && selects(selector, template?.metadata.labels ?? {}) ? [] : ["does not select its pods"]),
      ...(replicas === undefined ? [] : ["sets replicas, which its autoscaler decides"]),
      ...(scalersOf(manifest, manifests) === 1 ? [] : ["has no autoscaler of its own"]),
    ];
  }
  if (kind === "Service") {
    const selector = { matchLabels: spec.selector as Labels | undefined };
    const behind = workloads.filter(({ labels }) => !isEmpty(selector) && selects(selector, labels));
    const closed = (spec.ports ?? []).filter(({ targetPort }) => !behind.every((one) => opens(one, targetPort)));
    return [
      ...(behind.length === 1 ? [] : [`selects the pods of ${behind.length} workloads`]),
      ...closed.map(({ targetPort }) => `leads to port ${targetPort}, which its pods don't open`),
    ];
  }
  if (kind === "PodDisruptionBudget") {
    const kept = workloads.filter(({ labels }) => !isEmpty(spec.selector) && selects(spec.selector, labels));
    return kept.length === 1 && kept[0]?.kind === "Deployment" ? [] : [`selects ${kept.length} workloads`];
  }
  if (kind === "HorizontalPodAutoscaler") return scalerFaults(manifest, manifests);
  if (kind === "NetworkPolicy") return policyFaults(manifest, workloads);
  if (kind === "CronJob" && spec.schedule?.split(" ").length !== 5) return ["its schedule does not have five fields"];
  return [];
}

const scalersOf = ({ kind, metadata }: Manifest, manifests: Manifest[]) =>
  manifests.filter(({ spec }) => spec?.scaleTargetRef?.kind === kind && spec.scaleTargetRef.name === metadata.name)
    .length;

function scalerFaults({ spec = {} }: Manifest, manifests: Manifest[]): string[] {
  const { scaleTargetRef: target, minReplicas = 1, maxReplicas = 0 } = spec;
  const found = manifests.some(({ kind, metadata }) => kind === target?.kind && metadata.name === target.name);
  return [
    ...(found ? [] : [`scales ${target?.kind} ${target?.name}, which is not there`]),
    ...(minReplicas <= maxReplicas ? [] : ["has a minimum above its maximum"]),
  ];
}

function policyFaults({ spec = {} }: Manifest, workloads: Workload[]): string[] {
  const chosen = workloads.filter(({ labels }) => selects(spec.podSelector, labels));
  const rules: [Rule, Workload[]][] = [...(spec.ingress ?? []), ...(spec.egress ?? [])].map((rule) => {
    const named = (rule.to ?? []).flatMap(({ podSelector }) => (podSelector ? [podSelector] : []));
    const reached = workloads.filter(({ labels }) => named.some((selector) => selects(selector, labels)));
    return [rule, spec.ingress?.includes(rule) ? chosen : reached];
  });
  const faults = rules.flatMap(([{ from = [], to = [], ports = [] }, opening]) => [
    ...[...from, ...to].flatMap(({ podSelector, namespaceSelector, ipBlock }) => [
      ...(podSelector && !namespaceSelector && !workloads.some(({ labels }) => selects(podSelector, labels))
        ? ["names pods that are not there"]
        : []),
      ...[ipBlock?.cidr, ...(ipBlock?.except ?? [])]
        .filter((cidr) => cidr && !isRange(cidr))
        .map((c) => `${c}: no range`),
    ]),
    ...ports
      .filter(({ port }) => opening.length > 0 && !opening.every((one) => opens(one, port)))
      .map(({ port }) => `allows port ${port}, which its pods don't open`),
  ]);
  return chosen.length > 0 ? faults : [...faults, "selects no pods"];
}

function isRange(cidr: string): boolean {
  const [address = "", bits = ""] = cidr.split("/");
  const version = isIP(address);
  return version !== 0 && /^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

/** Every pod has policies in both directions: without one, a direction is open. */
function isolationFaults({ labels }: Workload, manifests: Manifest[]): string[] {
  const policies = manifests.filter(({ kind, spec }) => kind === "NetworkPolicy" && selects(spec?.podSelector, labels));
  return ["Ingress", "Egress"]
    .filter((direction) => !policies.some(({ spec }) => spec?.policyTypes?.includes(direction)))
    .map((direction) => `no network policy bounds its ${direction}`);
}

function podFaults({ kind, spec, labels, annotations }: Workload, manifests: Manifest[]): string[] {
  const has = (of: string, name: string) =>
    manifests.some(({ kind, metadata }) => kind === of && metadata.name === name);
  const spread = spec.topologySpreadConstraints ?? [];
  const port = annotations["prometheus.io/port"];
  const opened = spec.containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => String(containerPort)));
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  const isUp = kind === "Deployment";
  return [
    ...(spec.securityContext?.runAsNonRoot === true ? [] : ["may run as root"]),
    ...(spec.securityContext?.seccompProfile?.type === "RuntimeDefault" ? [] : ["has no seccomp profile"]),
    ...(spec.hostNetwork || spec.hostPID || spec.hostIPC ? ["shares a namespace of its node"] : []),
    ...(spec.automountServiceAccountToken === false ? [] : ["gets a token of Kubernetes"]),
    ...(has("ServiceAccount", spec.serviceAccountName ?? "") ? [] : ["has no service account"]),
    ...(isUp || ["Never", "OnFailure"].includes(spec.restartPolicy ?? "") ? [] : ["says not when to restart"]),
    ...(spread.every(({ labelSelector }) => selects(labelSelector, labels)) ? [] : ["is spread from other pods"]),
    ...(port === undefined || opened.includes(port) ? [] : [`is read at port ${port}, which it does not open`]),
    ...containers.flatMap((container) => [
      ...containerFaults(container, isUp),
      ...(container.envFrom ?? [])
        .filter(({ configMapRef }) => !has("ConfigMap", configMapRef.name))
        .map(({ configMapRef }) => `reads settings ${configMapRef.name}, which are not there`),
      ...(container.volumeMounts ?? []).flatMap(({ name, readOnly }) => {
        const volume = volumes.get(name);
        if (!volume) return [`mounts ${name}, which is not there`];
        return volume.secret && !readOnly ? [`may write to its secret ${name}`] : [];
      }),
    ]),
  ];
}

function containerFaults(container: Container, isUp: boolean): string[] {
  const { name, securityContext: rights, resources: { requests = {}, limits = {} } = {}, ports = [] } = container;
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
  const unknown = probes.filter((probe) => probe?.httpGet && !ports.some((port) => port.name === probe.httpGet?.port));
  const above = Object.keys(limits).filter((what) => amountOf(requests[what] ?? "0") > amountOf(limits[what] ?? "0"));
  const faults = [
    ...(rights?.allowPrivilegeEscalation === false && !rights.privileged ? [] : ["may gain rights"]),
    ...(rights?.readOnlyRootFilesystem === true ? [] : ["may write to its disk"]),
    ...(rights?.capabilities?.drop?.includes("ALL") && !rights.capabilities.add ? [] : ["has capabilities"]),
    ...["cpu", "memory"].filter((what) => !requests[what]).map((what) => `requests no ${what}`),
    ...(limits.memory ? [] : ["has no limit of memory"]),
    ...above.map((what) => `requests more ${what} than its limit`),
    ...(isUp && !probes.every(Boolean) ? ["lacks a probe"] : []),
    ...unknown.map((probe) => `is probed at ${probe?.httpGet?.port}, which it does not open`),
    ...repeated((container.env ?? []).map((one) => one.name)).map((variable) => `sets ${variable} twice`),
  ];
  return faults.map((fault) => `${name} ${fault}`);
}

const SUFFIX: Record<string, number> = { m: 1e-3, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

/** Returns a quantity such as `500m` or `1Gi` as a number, or NaN. */
function amountOf(quantity: string): number {
  const [, digits, suffix = ""] = /^(\d+(?:\.\d+)?)(m|k|M|G|Ki|Mi|Gi)?$/.exec(quantity) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (SUFFIX[suffix] ?? 1);
}
