package forum;

public class ForumService {
    private static final int MAX_TITLE_LENGTH = 120;
    private static final int MIN_REPUTATION_TO_VOTE = 15;
    private static final int FLAGS_UNTIL_HIDDEN = 5;
    private static final Duration EDIT_WINDOW = Duration.ofMinutes(30);
    private static final boolean ALLOW_ANONYMOUS_POSTS = false;

    /** Creates a thread. */
    public Thread createThread(User user, String title) {
        if (user.isMuted()) {
            throw new ResponseStatusException(HttpStatus.FORBIDDEN, "user is muted");
        }
        if (title.length() > MAX_TITLE_LENGTH) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "title is too long");
        }
        return threads.save(new Thread(user, title));
    }

    /** Votes for a post. */
    public void vote(User user, Post post) {
        if (user.getReputation() <= MIN_REPUTATION_TO_VOTE) {
            throw new ResponseStatusException(HttpStatus.FORBIDDEN, "reputation is too low");
        }
        post.addVote(user);
    }

    /** Flags a post as spam. */
    public void flag(Post post) {
        post.setFlags(post.getFlags() + 1);
        if (post.getFlags() >= FLAGS_UNTIL_HIDDEN) {
            post.setStatus("hidden");
        }
    }

    /** Locks a thread, so that nobody answers any more. */
    public void lockThread(Thread thread, User moderator) {
        thread.status = "frozen";
        audit(moderator, thread);
    }
}
