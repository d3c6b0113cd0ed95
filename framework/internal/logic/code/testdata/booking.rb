# frozen_string_literal: true

module Hotel
  # A stay of some nights.
  class Booking < Struct.new(:nights)
    MAX_NIGHTS = 14
    STATES = %w[open end closed].freeze

    def self.open?(state) = state == :open

    def confirm!(guest, end: nil)
      raise ArgumentError, "too long" if nights > MAX_NIGHTS
      return :waiting unless guest.paid?

      text = <<~TEXT
        def no_method
          "#{if guest then 'x' end}"
      TEXT
      value = if text =~ /end # no comment/ then 1 else 2 end
      while value < 10 do
        value += 1
      end
      guest.stays.each do |stay|
        next if stay.end
        yield(stay) { |x| if x then x end }
      end
      render json: {}, status: :unprocessable_entity
    rescue KeyError => e
      puts "#{e.class} begin"
    end

    def []=(key, value)
      @rows[key] = value
    end

    class << self
      private def build(*) ; new ; end
    end

    def state
      case nights
      when 0 then :none
      else :some
      end
    end
  end
end
