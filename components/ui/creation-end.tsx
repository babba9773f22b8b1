import { Button } from "./button";
import { FormEnd } from "./form-end";
import { LookFirst } from "./look-first";

/**
 * The end of a form that creates something that can be sent again as the same one. While it is unknown whether it
 * exists, it leads to the list, and sends the same one again. What the form contains since it was changed is created
 * only once the person says that the first is not in the list.
 *
 * @param isOther whether the form was changed since it was sent
 * @param onForget called before the form is submitted as a new one
 */
export function CreationEnd({
  error,
  isUnknown,
  isOther,
  busy,
  verb,
  href,
  look,
  onForget,
}: {
  error?: string;
  isUnknown: boolean | undefined;
  isOther: boolean;
  busy: boolean;
  verb: string;
  /** Of the list. */
  href: string;
  look: string;
  onForget: () => void;
}) {
  if (!isUnknown) return <FormEnd error={error} isUnknown={isUnknown} busy={busy} verb={verb} />;
  const hint = isOther
    ? "You have changed the form since. Change it back to try again."
    : "Trying again creates no second one.";
  return (
    <LookFirst key={hint} error={`${error} ${hint}`} href={href} look={look}>
      <Button type="submit" size="small">
        Try again
      </Button>
      {isOther && (
        <Button
          size="small"
          onClick={({ currentTarget: { form } }) => {
            onForget();
            form?.requestSubmit();
          }}
        >
          It is not in the list: create it
        </Button>
      )}
    </LookFirst>
  );
}
