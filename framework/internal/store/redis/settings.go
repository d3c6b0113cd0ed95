package redis

// Settings are those of what servers share.
type Settings struct {
	Address   Address `setting:"REDIS_URL" private:"" want:"redis:// or rediss:// with host:port/database, or redis-sentinel://host:port,host:port/name/database, special characters percent-encoded" doc:"keep traces, runs, cached answers and statistics in the Redis at this URL, for several servers"`
	Namespace string  `setting:"REDIS_NAMESPACE" doc:"the name under which Redis keeps what the servers of this workspace share; that of its folder when not given"`
}
