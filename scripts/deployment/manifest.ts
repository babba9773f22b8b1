import { spawnSync } from "node:child_process";
import { parseAllDocuments } from "yaml";

export type Labels = Record<string, string>;

/** A selector of labels. An empty one selects everything. */
export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface Probe {
  httpGet?: { path: string; port: string | number };
}

export interface Container {
  name: string;
  args?: string[];
  image: string;
  env?: { name: string; value: string }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    privileged?: boolean;
    capabilities?: { drop?: string[]; add?: string[] };
  };
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
}

export interface Pod {
  automountServiceAccountToken?: boolean;
  serviceAccountName?: string;
  terminationGracePeriodSeconds?: number;
  restartPolicy?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  securityContext?: { runAsNonRoot?: boolean; seccompProfile?: { type: string } };
  topologySpreadConstraints?: { labelSelector: Selector }[];
  initContainers?: Container[];
  containers: Container[];
  volumes?: { name: string; secret?: { secretName: string; items: { path: string }[] } }[];
}

interface Template {
  spec: Pod;
  metadata: { labels: Labels; annotations?: Record<string, string> };
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}
export interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: string | number }[];
}

/** A manifest of Kubernetes, with the fields that any of its kinds here may have. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  data?: Record<string, string>;
  spec?: {
    template?: Template;
    jobTemplate?: { spec: { template: Template } };
    selector?: Selector;
    replicas?: number;
    schedule?: string;
    ports?: { name: string; port: number; targetPort: string | number }[];
    scaleTargetRef?: { kind: string; name: string };
    minReplicas?: number;
    maxReplicas?: number;
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[];
    egress?: Rule[];
  };
}

/** What runs pods: a deployment, a job or a cron job, with the pods' labels and specification. */
export interface Workload {
  kind: string;
  metadata: Manifest["metadata"];
  labels: Labels;
  annotations: Record<string, string>;
  spec: Pod;
}

export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest);

export function workloadsOf(manifests: Manifest[]): Workload[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template;
    if (!template) return [];
    const { labels, annotations = {} } = template.metadata;
    return [{ kind, metadata, labels, annotations, spec: template.spec }];
  });
}

/** Whether tests may do without rendering. No one has to install a kubectl, but `.ci/run` fetches one and must use it. */
export function mayNotRender(): boolean {
  const { stdout } = spawnSync("kubectl", ["version", "--client"], { encoding: "utf8" });
  // Components need Kustomize 5. Debian's kubectl is older.
  const renders = Number(/Kustomize Version: v(\d+)\./.exec(stdout ?? "")?.[1]) >= 5;
  return !renders && !process.env.CI_TOOLS;
}

/**
 * Returns what `kubectl kustomize` makes of a folder.
 *
 * @throws Error with its message if it fails
 */
export function render(folder: string): Manifest[] {
  const { status, stdout, stderr, error } = spawnSync("kubectl", ["kustomize", folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`kubectl kustomize ${folder}: ${error?.message ?? stderr}`);
  return parseManifests(stdout);
}
