import type { ComponentProps } from "react";
import { Field, Input } from "@/components/ui/field";

/** The field for a recovery code. */
export function RecoveryCodeField({ error, ...rest }: ComponentProps<"input"> & { error?: string }) {
  return (
    <Field label="Recovery code" hint="Seven groups of four. Case and hyphens do not matter." error={error}>
      {(control) => (
        <Input
          {...control}
          {...rest}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          className="font-mono uppercase"
        />
      )}
    </Field>
  );
}
