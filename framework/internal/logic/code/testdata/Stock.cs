using System;

namespace Sample.Stock
{
    /// <summary>What lies in store.</summary>
    [Serializable]
    public sealed class Stock<T> : IStock where T : class
    {
        private const int Reorder = 20;
        public static readonly string Path = @"C:\dir\";

        public int Count { get; private set; } = 0;

#if DEBUG
        public string Show() => $"{Count:N2} {{left}} {(Count > 0 ? "some" : "none")}";
#endif

        public Stock(int count) : base(count)
        {
            Count = count;
        }

        [HttpPost("take")]
        public async Task<(int, string)> Take<TKey>(TKey key, int amount = 1) where TKey : notnull
        {
            if (amount > Count)
            {
                throw new InvalidOperationException("not enough");
            }
            int Left(int taken)
            {
                return Count - taken;
            }
            return Count < Reorder ? StatusCode(409) : Ok(new Item(key) { Left = Left(amount) });
        }

        public static bool operator ==(Stock<T> a, Stock<T> b) => Equals(a, b);

        void IStock.Close() { }
    }

    public record Item(int Key);

    public enum Level { Low = 1, High }
}
