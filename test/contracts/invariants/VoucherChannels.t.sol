// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IVoucherChannels} from "../../../contracts/interfaces/IVoucherChannels.sol";
import {WaywardToken} from "../../../contracts/mocks/WaywardToken.sol";
import {ChannelHandler} from "./ChannelHandler.sol";
import {deploy} from "./Deploy.sol";

/// @title What holds of channels after any sequence of calls
contract VoucherChannelsInvariants {
    IVoucherChannels private _channels;
    WaywardToken private _token;
    ChannelHandler private _handler;

    function setUp() public {
        _token = new WaywardToken();
        _channels = IVoucherChannels(deploy("VOUCHER_CHANNELS_BYTECODE", ""));
        _handler = new ChannelHandler(_channels, _token);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice The contract holds exactly what it owes: what is unclaimed in channels, credits and gifts.
    /// hardhat-config: default.invariant.depth = 500
    function invariant_channelSolvency() public view {
        uint256 owed = _handler.credits() + _handler.donated();
        for (uint256 c = 0; c < _handler.channelCount(); ++c) {
            (, uint256 deposit, uint256 claimed,) = _channels.channel(_handler.idOf(c));
            owed += deposit - claimed;
        }
        require(_token.balanceOf(address(_channels)) == owed, "holds more or less than it owes");
    }

    /// @notice Of each channel: what was claimed is what the books say, and a closed one gave back the rest.
    /// hardhat-config: default.invariant.depth = 500
    function invariant_everyChannelAddsUp() public view {
        for (uint256 c = 0; c < _handler.channelCount(); ++c) {
            ChannelHandler.Book memory book = _handler.bookOf(c);
            (IVoucherChannels.ChannelStatus status, uint256 deposit, uint256 claimed,) =
                _channels.channel(_handler.idOf(c));
            require(claimed == book.claimed, "claims went another way");
            require((status == IVoucherChannels.ChannelStatus.Closed) == book.closed, "closed by no account, or not at all");
            if (book.closed) {
                require(deposit == claimed, "a closed channel keeps something");
                require(claimed + book.refunded == book.paidIn, "does not add up");
            } else {
                require(deposit == book.paidIn, "deposits went another way");
            }
        }
        require(bytes(_handler.breach()).length == 0, _handler.breach());
    }

    /// @notice A run that claimed, batched, closed or withdrew nothing shows nothing.
    function afterInvariant() public view {
        require(_handler.claims() != 0, "void: nothing was claimed");
        require(_handler.batches() != 0, "void: no batch");
        require(_handler.closings() != 0, "void: nothing was closed");
        require(_handler.withdrawals() != 0, "void: nothing was withdrawn");
    }
}
