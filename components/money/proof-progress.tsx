import { Progress } from "@/components/ui/progress";

/** Says what is happening while a proof is created and sent. */
export function ProofProgress({ children }: { children: string }) {
  return (
    <div role="status" className="rounded-lg border border-line bg-sunken/60 px-3.5 py-3">
      <Progress label={children} />
    </div>
  );
}
