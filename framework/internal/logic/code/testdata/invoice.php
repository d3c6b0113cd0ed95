<html><body>function no() {</body>
<?php
namespace App\Billing;

use function App\round_up;

const RATE = 0.19;

/** An invoice. */
#[Entity('invoice')]
final class Invoice extends Base implements Payable
{
    public const MAX_ITEMS = 50;

    public function __construct(private readonly array $items = []) {}

    /**
     * Adds a line.
     */
    #[Route('/add')]
    public static function &add(?Item $item, string ...$notes): ?static
    {
        if (count($items) >= self::MAX_ITEMS) {
            abort(422, "too many: {$item->names["a}"]}");
        }
        $show = function () use ($item): string { return '}'; };
        echo <<<"TXT"
          function hidden() {
          TXT;
        return match (true) { default => null };
    }

    abstract protected function pay(): void;
}

function total(array $rows): float { # not: }
    return array_sum(array_map(fn ($r) => $r['n'] * 2, $rows)); // }
}
?>
<p>{</p>
