import { Monitor, Moon, Sun } from "lucide-react";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import type { Theme } from "@/components/ui/theme-of";

const CHOICES = [
  { value: "system", name: "System", icon: Monitor },
  { value: "light", name: "Light", icon: Sun },
  { value: "dark", name: "Dark", icon: Moon },
] as const;

/**
 * Chooses the dashboard's color theme in this browser. A plain form that works without JavaScript.
 *
 * @param setTheme the server action that stores the form's `theme`
 */
export function ThemeForm({ theme, setTheme }: { theme: Theme; setTheme: (form: FormData) => Promise<void> }) {
  const chosen = theme ?? "system";
  return (
    <Card title="Theme" description="For this browser. System follows what your device is set to.">
      <form action={setTheme}>
        <fieldset className="grid max-w-md grid-cols-3 gap-1 rounded-lg bg-sunken p-1">
          <legend className="sr-only">Theme</legend>
          {CHOICES.map(({ value, name, icon: Icon }) => (
            <button
              key={value}
              type="submit"
              name="theme"
              value={value}
              aria-pressed={value === chosen}
              className={classNames(
                "flex h-9 items-center justify-center gap-2 rounded-md text-sm transition-colors pointer-coarse:h-11",
                value === chosen
                  ? "border border-line-strong bg-raised font-medium shadow-raised"
                  : "text-muted hover:text-ink",
              )}
            >
              <Icon size={15} aria-hidden="true" />
              {name}
            </button>
          ))}
        </fieldset>
      </form>
    </Card>
  );
}
