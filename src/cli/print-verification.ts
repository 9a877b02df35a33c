/** A judged request for a person: the verdict first, then why, then what inorder would make of it. */
import type { Verification, VerifiedItem } from '../operations/verify-delivery.ts';
import { count } from './count.ts';
import { colours, plain, print } from './print.ts';
import { reasonInWords } from './words.ts';

export function printVerification(verification: Verification): void {
  const { source, valid, taken, refused, message, secrets, odd, looks, cause, body } = verification;
  const verdict = !valid
    ? colours.red(`refused: ${refused ?? ''}`)
    : taken
      ? colours.green('valid')
      : colours.red('refused, though the signature is valid');
  print(`${colours.bold(plain(source))}  ${verdict}`);
  if (message !== null) print(`  ${plain(message)}`);
  print('');
  const lines: [string, string][] = [
    ...secrets.map((secret): [string, string] => [`secret ${secret.id}`, secretText(secret)]),
    ['clock', clockText(verification)],
    ['body', `${count(body.bytes, 'byte')}, SHA-256 ${body.sha256}`],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  for (const [name, text] of lines) print(`  ${colours.dim(plain(name).padEnd(width))}  ${plain(text)}`);
  for (const line of odd) print(`  ${colours.yellow('odd')}  ${plain(line)}`);
  if (looks !== null) print(`  a good request has  ${plain(looks)}`);
  const why = whyNot(verification);
  if (why !== null) print(`\n${cause === null ? '' : `${colours.bold('Found')}  `}${plain(why)}`);
  if (verification.items.length > 0) print('');
  for (const item of verification.items) printItem(item, valid);
}

function secretText({ confirms, expired, until, odd }: Verification['secrets'][number]): string {
  const verdict = confirms ? 'confirms the signature' : 'does not confirm it';
  const end =
    until === null
      ? ''
      : expired
        ? `, but has not been accepted since ${until}`
        : `, accepted until ${until}`;
  return `${verdict}${end}${odd === null ? '' : `; ${odd}`}`;
}

function clockText({ clock, at }: Verification): string {
  if (clock === null) return `no time that was signed can be read; judged as at ${at}`;
  const { ageSeconds, toleranceSeconds, inside, signedAt } = clock;
  const side =
    ageSeconds === 0
      ? 'the same second as'
      : `${count(Math.abs(ageSeconds), 'second')} ${ageSeconds > 0 ? 'before' : 'after'}`;
  return `signed at ${signedAt}, ${side} ${at}; ${inside ? 'inside' : 'outside'} the tolerance of ${count(toleranceSeconds, 'second')}`;
}

/** What to do, where nothing above says it. */
function whyNot({ valid, cause, secrets, clock, odd, looks }: Verification): string | null {
  if (valid) return null;
  if (cause !== null) return `${cause.text}.`;
  const confirming = secrets.filter((secret) => secret.confirms);
  if (confirming.length > 0 && clock !== null && !clock.inside) {
    return clock.ageSeconds > 0
      ? `The signature is right and too old. If you saved this request earlier, judge it as at its own time: --at ${clock.signedAt}`
      : "The signature is right and lies in the future: the sender's clock, or this one, is wrong.";
  }
  if (confirming.length > 0) {
    return 'The signature is right, by a secret that is not accepted any more: the sender still uses the old one.';
  }
  if (looks !== null || odd.length > 0) return 'Mend what is odd above first.';
  return (
    'None of the usual causes makes it hold (body written anew, line ends, charset, compression, the secret of another source). ' +
    'What is left: a secret of another endpoint, account or mode; a body of another request; a body that was saved by hand. ' +
    'Save the raw bytes, before anything parses them, and try again.'
  );
}

function printItem(item: VerifiedItem, isValid: boolean): void {
  const would = isValid ? '' : ' (if it were taken)';
  if (item.refused !== null) {
    print(`Event  refused${would}: ${plain(item.refused)}`);
    return;
  }
  print(`Event  ${colours.bold(plain(item.event ?? ''))}  ${plain(item.providerType ?? '')}${would}`);
  const lines: [string, string | null][] = [
    ['type', item.type ?? 'none: nothing follows from it'],
    ['object', item.object],
    ['version', item.version],
    ['order', orderText(item)],
    ['mode', item.mode],
    ['account', item.account],
    [
      'settled at once',
      item.outcome === null
        ? null
        : `${item.outcome}${item.reason === null ? '' : `: ${reasonInWords(item.reason)}`}`,
    ],
  ];
  const shown = lines.filter((line): line is [string, string] => line[1] !== null);
  const width = Math.max(...shown.map(([name]) => name.length));
  for (const [name, text] of shown) print(`  ${colours.dim(name.padEnd(width))}  ${plain(text)}`);
}

function orderText({ order, orderPaths, refs, object }: VerifiedItem): string {
  if (order !== null) return order;
  const where = orderPaths.length === 0 ? 'it names none' : `none at ${orderPaths.join(', ')}`;
  const others = refs.filter((ref) => ref !== object);
  const via = others.length === 0 ? (object ?? '') : others.join(', ');
  return `${where}; found when an event about ${via} names its order, or the provider's API does`;
}
