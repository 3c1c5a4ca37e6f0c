// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Channels for payments too small to settle each
/// @notice A payer deposits money for one receiver and signs vouchers, each for more than the last. The receiver claims
///         up to the highest voucher, at any time and any number of times. The payer gets the rest back.
///
///         None → Open → Closed. A closed channel is never opened again and its claims stay stored, so no voucher pays
///         twice.
///
///         The voucher, the config and the batch are x402's types of batch settlement. {open}, {settle}, {topUp}, {close},
///         {requestClose} and {withdraw} work as the calls of these names in a payment session. They take the config
///         instead of an id, because no config is stored.
/// @dev Amounts in the token's base units, times in seconds since 1970. Any token: a channel's money is its own
///      `deposit - claimed`, and a faulty token harms only its own channels.
///      What this does not protect against:
///      - a receiver that does not claim between a notice and the withdrawal loses what it did not claim;
///      - vouchers above `deposit` are worth the deposit;
///      - a payer whose authorizer's key is stolen, up to the deposit, to the one receiver.
///      Vouchers count from keys only. A contract wallet that pays names a key as its authorizer. So a payee that verified a
///      voucher off chain knows what the contract will answer: a wallet's answer could change, a key's signature cannot.
interface IVoucherChannels {
    enum ChannelStatus {
        None,
        Open,
        Closed
    }

    /// @notice Why a claim is refused.
    enum Fault {
        None,
        NotOpen,
        NothingNew,
        AboveVoucher,
        AboveDeposit,
        BadSignature
    }

    /// @param payer who pays in, and gets back what is not claimed
    /// @param payerAuthorizer the key that signs vouchers for the payer; zero: the payer's own key
    /// @param receiver who is paid
    /// @param receiverAuthorizer who, besides the receiver, claims for it and gives notice; zero: no account, and the receiver signs
    /// @param token what is paid
    /// @param withdrawDelay seconds between a notice and the withdrawal of the rest
    /// @param salt distinguishes channels between the same parties
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }

    /// @param maxClaimableAmount what the receiver may take over the channel's whole life
    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }

    /// @param signature the payer's side's, over the voucher
    /// @param totalClaimed what will have been taken of the channel after this claim, at most what the voucher allows
    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }

    /// @notice The half of a config that all channels of a batch have in common.
    struct Payee {
        address receiver;
        address receiverAuthorizer;
        address token;
    }

    /// @notice The other half of a config, and the claim: the fields of a {VoucherClaim}, without the payee's.
    struct BatchedClaim {
        address payer;
        address payerAuthorizer;
        uint40 withdrawDelay;
        bytes32 salt;
        uint128 maxClaimableAmount;
        uint128 totalClaimed;
        bytes signature;
    }

    /// @notice The payer funded a channel with `deposit`, in base units of the token.
    event ChannelOpened(bytes32 indexed id, ChannelConfig config, uint256 deposit);
    /// @notice `deposit` is the new total.
    event ToppedUp(bytes32 indexed id, uint256 amount, uint256 deposit);
    /// @notice The receiver has taken `totalClaimed` of the channel, cumulative.
    event Claimed(bytes32 indexed id, uint256 totalClaimed);
    /// @notice One claim of a batch changed nothing; the others continued.
    event ClaimSkipped(bytes32 indexed id, Fault fault);
    /// @notice From `withdrawableAt` the rest can be sent back to the payer.
    event CloseRequested(bytes32 indexed id, uint256 withdrawableAt);
    /// @notice The channel is closed for ever: `totalClaimed` went to the receiver, `refunded` to the payer.
    event ChannelClosed(bytes32 indexed id, uint256 totalClaimed, uint256 refunded);
    /// @notice `account` can withdraw this much more.
    event Credited(address indexed token, address indexed account, uint256 amount);
    /// @notice The credit of `account` was sent to `to`: `amount`, in base units of the token.
    event CreditWithdrawn(address indexed token, address indexed account, address to, uint256 amount);

    /// @notice The payer or the receiver is zero or this contract.
    error BadParty(address party);
    /// @notice The delay is not within the bounds.
    error BadDelay(uint256 actual, uint256 min, uint256 max);
    /// @notice The amount to set aside is zero.
    error EmptyAmount();
    /// @notice More than a channel can hold.
    error DepositTooLarge(uint256 actual, uint256 max);
    /// @notice This config was opened before. Another salt makes another channel.
    error AlreadyOpened(bytes32 id);
    /// @notice The channel was never opened, or it is closed.
    error NotOpen(bytes32 id);
    /// @notice Only the payer of the channel may call this.
    error NotPayer(address actual, address expected);
    /// @notice Neither the receiver nor its authorizer.
    error NotReceiver(address actual);
    /// @notice The token moved less than the amount, in base units.
    error ReceivedLess(uint256 actual, uint256 expected);
    /// @notice The claim changed nothing, for the reason in `fault`.
    error ClaimRefused(bytes32 id, Fault fault);
    /// @notice What was claimed already cannot be taken back, nor more be given than there is.
    error BadTotal(uint256 actual, uint256 min, uint256 max);
    /// @notice The signature is not from `signer`, or covers other data.
    error BadSignature(address signer);
    /// @notice A notice runs already.
    error CloseAlreadyRequested(bytes32 id);
    /// @notice There is no notice to wait for.
    error CloseNotRequested(bytes32 id);
    /// @notice The notice has not run out. Times in unix seconds.
    error TooEarly(uint256 actual, uint256 earliest);
    /// @notice The signatures have expired. Times in unix seconds.
    error TooLate(uint256 actual, uint256 end);
    /// @notice A batch has more claims than one call may pay.
    error TooManyClaims(uint256 actual, uint256 max);
    /// @notice The account has no credit in this token.
    error NothingToWithdraw(address token, address account);
    /// @notice Credit cannot be sent to zero or to this contract.
    error BadRecipient(address to);

    /// @notice Opens a channel with `amount` out of the payer's allowance.
    /// @dev Caller: the payer. None → Open. Reverts unless the balance grows by `amount` or more.
    function open(ChannelConfig calldata config, uint128 amount) external returns (bytes32 id);

    /// @notice Opens a channel on the payer's ERC-3009 signature, so that the payer needs no gas.
    /// @dev Caller: any account. The authorization's nonce is the channel's id, so that the one signature covers the config;
    ///      its value is `amount`.
    function openWithAuthorization(
        ChannelConfig calldata config,
        uint128 amount,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external returns (bytes32 id);

    /// @notice Adds `amount` out of the payer's allowance, and takes a notice back if there is one.
    /// @dev Caller: the payer.
    function topUp(ChannelConfig calldata config, uint128 amount) external;

    /// @notice Adds `amount` on the payer's ERC-3009 signature, whose nonce is {topUpNonce}.
    /// @dev Caller: any account. Leaves a notice standing: a holder of the signature must not undo what the payer began.
    function topUpWithAuthorization(
        ChannelConfig calldata config,
        uint128 amount,
        bytes32 salt,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external;

    /// @notice Takes what a voucher allows beyond what was taken before, and sends it to the receiver.
    /// @dev Caller: the receiver or its authorizer. Valid until the channel is closed, after a notice too. A receiver
    ///      that the token refuses is credited instead. Reverts with {ClaimRefused}.
    function claim(VoucherClaim calldata one) external;

    /// @notice {claim} of all that a voucher allows.
    function settle(ChannelConfig calldata config, uint128 cumulativeAmount, bytes calldata signature) external;

    /// @notice Takes from many channels of one receiver in one token, into its credit. A claim that is refused stops no
    ///         other.
    /// @dev Caller: the receiver or its authorizer. At most 256.
    /// @return done bit i for claim i
    function claimMany(Payee calldata payee, BatchedClaim[] calldata claims) external returns (uint256 done);

    /// @notice {claimMany} by any account, with a signature of the receiver's authorizer, or of the receiver without one, over
    ///         ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed).
    /// @dev The receiver can leave the signature with a watcher, because repeating it changes nothing.
    function claimManyWithSignature(Payee calldata payee, BatchedClaim[] calldata claims, bytes calldata signature)
        external
        returns (uint256 done);

    /// @notice Claims a last voucher. A call by the receiver also closes the channel, and the payer gets the rest.
    ///         A call by its authorizer only starts the delay of {requestClose}: until {withdraw}, higher vouchers can still
    ///         be claimed.
    /// @dev Caller: the receiver or its authorizer. If `cumulativeAmount` was claimed before, no signature is read.
    ///      Does NOT protect a receiver that does not watch: after the delay, the payer gets all that is unclaimed.
    function close(ChannelConfig calldata config, uint128 cumulativeAmount, bytes calldata signature) external;

    /// @notice Closes the channel as both sides have signed: `totalClaimed` to the receiver, the rest to the payer.
    /// @dev Caller: any account that has both signatures, the receiver's own and that of the payer or its authorizer, over
    ///      Close(bytes32 channelId,uint128 totalClaimed,uint40 validBefore). Sign it for minutes, not for days: until
    ///      `validBefore` it can close the channel below a voucher that was signed later.
    function closeWithSignatures(
        ChannelConfig calldata config,
        uint128 totalClaimed,
        uint40 validBefore,
        bytes calldata payerSignature,
        bytes calldata receiverSignature
    ) external;

    /// @notice The payer's notice: after `withdrawDelay` the rest can be withdrawn. Until then claims are paid first.
    ///         The authorizer of the receiver gives the same notice by {close}.
    /// @dev Caller: the payer.
    function requestClose(ChannelConfig calldata config) external;

    /// @notice Sends the rest to the payer after the delay of the notice.
    /// @dev Caller: any account. Open → Closed.
    function withdraw(ChannelConfig calldata config) external;

    /// @notice Sends the caller's whole credit in `token` to `to`.
    function withdrawCredit(address token, address to) external;

    /// @notice Sends the whole credit of `account` to `account`. Anyone may call it.
    function sendCredit(address token, address account) external;

    /// @notice The EIP-712 digest of the config: bound to this contract and this chain.
    function channelId(ChannelConfig calldata config) external view returns (bytes32);

    /// @notice The ERC-3009 nonce of a relayed top-up.
    function topUpNonce(bytes32 id, bytes32 salt) external pure returns (bytes32);

    /// @return status the channel's status
    /// @return deposit the amount paid in; after closing, the amount claimed
    /// @return claimed the amount that the receiver has claimed, cumulative
    /// @return closeRequestedAt when the payer or the receiver's authorizer gave notice; 0 without notice
    function channel(bytes32 id)
        external
        view
        returns (ChannelStatus status, uint256 deposit, uint256 claimed, uint256 closeRequestedAt);

    /// @notice What `account` can withdraw in `token`.
    function credit(address token, address account) external view returns (uint256);
}
