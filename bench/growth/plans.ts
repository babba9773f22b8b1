/** A node of a plan, as PostgreSQL explains it in JSON. */
interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Scan Direction"?: string;
  "Join Type"?: string;
  Plans?: PlanNode[];
}

/** What a plan is, without its costs: node types, tables and indexes, partitions by their table. */
export function shapeOf(node: PlanNode): string {
  const name = node["Index Name"] ?? node["Relation Name"];
  const children = [...new Set((node.Plans ?? []).map(shapeOf))].join(", ");
  return `${node["Node Type"]}${name ? ` ${tableOf(name)}` : ""}${children ? ` (${children})` : ""}`;
}

/** Returns the tables that a plan reads from end to end. */
export function scannedWhole(node: PlanNode): string[] {
  const here = node["Node Type"] === "Seq Scan" && node["Relation Name"] ? [tableOf(node["Relation Name"])] : [];
  return [...here, ...(node.Plans ?? []).flatMap(scannedWhole)];
}

/** The name of a partition or of its index, without its month. */
const tableOf = (name: string): string => name.replace(/_(\d{4}_\d{2}|start)(?=_|$)/, "");

/** Takes plans from PostgreSQL's log, which auto_explain writes there in JSON, by database. */
export class PlanLog {
  private text = "";
  private received: () => void = () => {};

  readonly receive = (text: string): void => {
    this.text += text;
    this.received();
  };

  /** Resolves once the log contains a text. */
  async until(text: string): Promise<void> {
    while (!this.text.includes(text)) {
      await new Promise<void>((resolve) => {
        this.received = resolve;
      });
    }
  }

  /** Forgets what was logged so far. */
  clear(): void {
    this.text = "";
  }

  /** Returns the plans of the app's statements in a database since the last {@link clear}. */
  plansOf(database: string): PlanNode[] {
    // A message's further lines begin with a tab. `log_line_prefix` is user and database.
    return this.text
      .split(/\n(?!\t)/)
      .filter((message) => message.startsWith(`halcyon_app@${database} `) && message.includes("plan:"))
      .map((message) => {
        const json = message.slice(message.indexOf("plan:") + "plan:".length);
        return (JSON.parse(json) as { Plan: PlanNode }).Plan;
      });
  }
}
