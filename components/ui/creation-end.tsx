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
  if (!isOther) {
    return (
      <LookFirst error={`${error} Trying again creates no second one.`} href={href} look={look}>
        <Button type="submit" size="small" tone="primary">
          Try again
        </Button>
      </LookFirst>
    );
  }
  return (
    <LookFirst key="other" error={`${error} You have changed the form since.`} href={href} look={look}>
      <Button
        size="small"
        onClick={(event) => {
          onForget();
          event.currentTarget.form?.requestSubmit();
        }}
      >
        It is not in the list: create it
      </Button>
    </LookFirst>
  );
}
