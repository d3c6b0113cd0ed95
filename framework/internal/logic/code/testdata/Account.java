package sample;

/** An account that may be overdrawn. */
@Entity(name = "account {")
public class Account<T extends Comparable<T>> implements Closeable {
    private static final int MAX_OVERDRAFT = 500;
    private final Map<String, List<T>> rows = new HashMap<>() {
        @Override
        protected void added(String key) {
            log("}");
        }
    };

    public Account(int start) throws IOException {
        this.balance = start;
    }

    /**
     * Takes money off.
     */
    @Transactional(readOnly = false)
    public <R> Map<R, int[]> withdraw(@Min(1) int amount, R tag) throws LimitExceeded, IOException {
        if (balance - amount < -MAX_OVERDRAFT) {
            throw new LimitExceeded("over the limit");
        }
        return switch (tag.kind()) {
            case FAST -> null;
            default -> Map.of();
        };
    }

    abstract int fee();

    enum State {
        OPEN("o") {
            boolean ends() { return false; }
        },
        CLOSED("c");

        private final String code;

        State(String code) { this.code = code; }
    }

    record Line(int amount, String text) {
        Line {
            if (amount == 0) throw new IllegalArgumentException("""
                an "empty" line }
                """);
        }
    }

    interface Audit { void log(String text); }
}
